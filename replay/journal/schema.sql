-- One delivery of one request, written before it is sent.
CREATE TABLE attempt (
	id      INTEGER PRIMARY KEY, -- order of beginning
	seq     INTEGER NOT NULL REFERENCES request (seq),
	target  TEXT    NOT NULL,
	n       INTEGER NOT NULL,    -- of this request at this target: 1, 2, 3 …
	run     TEXT    NOT NULL,    -- '' for live traffic
	replay  INTEGER NOT NULL,
	signing TEXT    NOT NULL,
	start   INTEGER NOT NULL,    -- nanoseconds since 1970 UTC
	took    INTEGER NOT NULL DEFAULT 0, -- nanoseconds
	ended   INTEGER NOT NULL DEFAULT 0, -- 1 when there is an outcome
	outcome TEXT    NOT NULL DEFAULT '{}', -- JSON of all but the bytes
	head    BLOB    NOT NULL DEFAULT x'',
	body    BLOB    NOT NULL DEFAULT x'',
	UNIQUE (seq, target, n)
) STRICT;
CREATE INDEX attempt_open ON attempt (id) WHERE ended = 0;
CREATE INDEX attempt_run ON attempt (run) WHERE run <> '';

-- How the deliveries of a request stand: what the forwarder says of it, and
-- what its attempts came to.
CREATE TABLE standing (
	seq      INTEGER PRIMARY KEY REFERENCES request (seq),
	endpoint TEXT    NOT NULL,
	progress TEXT    NOT NULL, -- '' until the forwarder has seen it
	tries    INTEGER NOT NULL,
	due      INTEGER,          -- nanoseconds since 1970 UTC; NULL if not
	attempts INTEGER NOT NULL DEFAULT 0,
	replays  INTEGER NOT NULL DEFAULT 0,
	last     INTEGER NOT NULL DEFAULT 0, -- the last attempt that ended: 0 none, 1 taken, 2 not taken
	status   INTEGER NOT NULL DEFAULT 0, -- of that attempt
	failure  TEXT    NOT NULL DEFAULT '',-- of that attempt
	failures INTEGER NOT NULL DEFAULT 0  -- attempts not taken since the last that was
) STRICT;
CREATE INDEX standing_outstanding ON standing (seq) WHERE progress IN ('queued', 'retrying');
CREATE INDEX standing_failed ON standing (seq, progress) WHERE last = 2;

-- One row: all up to seq has a standing, or needs none.
CREATE TABLE forwarded (seq INTEGER NOT NULL) STRICT;
INSERT INTO forwarded VALUES (0);

CREATE TABLE run (
	id      TEXT    PRIMARY KEY CHECK (id <> ''),
	name    TEXT    NOT NULL,
	seed    INTEGER NOT NULL, -- the bits of a uint64
	target  TEXT    NOT NULL,
	start   INTEGER NOT NULL, -- nanoseconds since 1970 UTC
	finish  INTEGER,          -- the same; NULL while it runs
	sent    INTEGER NOT NULL,
	ok      INTEGER NOT NULL,
	failed  INTEGER NOT NULL,
	skipped INTEGER NOT NULL,
	err     TEXT    NOT NULL,
	spread  TEXT    NOT NULL, -- JSON: nanoseconds
	waves   TEXT    NOT NULL  -- JSON: waves of sends
) STRICT;
CREATE INDEX run_start ON run (start);
