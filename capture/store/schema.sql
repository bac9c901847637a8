-- Evidence: what arrived. Rows are added and never change.
CREATE TABLE request (
	seq       INTEGER PRIMARY KEY, -- place in the log: 1, 2, 3 … without a gap
	id        TEXT    NOT NULL CHECK (id <> ''),
	kind      TEXT    NOT NULL CHECK (kind <> ''),
	endpoint  TEXT    NOT NULL,
	at        INTEGER NOT NULL,    -- nanoseconds since 1970 UTC
	method    TEXT    NOT NULL,
	peer      TEXT    NOT NULL,
	url       TEXT    NOT NULL,
	note      TEXT    NOT NULL,
	head_size INTEGER NOT NULL,
	body_size INTEGER NOT NULL,
	leaf      BLOB    NOT NULL CHECK (length(leaf) = 32) -- see package ledger
) STRICT;
CREATE UNIQUE INDEX request_id ON request (id);
CREATE INDEX request_at ON request (at);

-- The bytes, apart from the rest so that a walk over a million requests does not read them.
CREATE TABLE payload (
	seq  INTEGER PRIMARY KEY REFERENCES request (seq),
	head BLOB NOT NULL,
	body BLOB NOT NULL
) STRICT;

CREATE TRIGGER request_changes BEFORE UPDATE ON request
BEGIN SELECT raise(ABORT, 'a captured request never changes'); END;
CREATE TRIGGER request_goes BEFORE DELETE ON request
BEGIN SELECT raise(ABORT, 'a captured request is never deleted'); END;
CREATE TRIGGER payload_changes BEFORE UPDATE ON payload
BEGIN SELECT raise(ABORT, 'a captured request never changes'); END;
CREATE TRIGGER payload_goes BEFORE DELETE ON payload
BEGIN SELECT raise(ABORT, 'a captured request is never deleted'); END;

-- Our reading of a request, one row each. It may be made anew by a better reader.
CREATE TABLE reading (
	seq       INTEGER PRIMARY KEY REFERENCES request (seq),
	provider  TEXT    NOT NULL,
	status    TEXT    NOT NULL,           -- of the signature
	answered  INTEGER NOT NULL,           -- 0 until the sender has its answer
	read      INTEGER NOT NULL DEFAULT 0, -- number of the reader that read the events; 0 until then
	seen      INTEGER NOT NULL DEFAULT 0, -- the highest of the events
	late      INTEGER NOT NULL DEFAULT 0, -- 1 if one of the events is
	events    INTEGER NOT NULL DEFAULT 0, -- how many
	type      TEXT    NOT NULL DEFAULT '',-- of the first event, like the next two
	object    TEXT    NOT NULL DEFAULT '',
	key       TEXT    NOT NULL DEFAULT '',
	signature TEXT    NOT NULL            -- JSON of the whole verdict
) STRICT;
CREATE INDEX reading_duplicate ON reading (seq) WHERE seen > 1;
CREATE INDEX reading_late ON reading (seq) WHERE late = 1;

CREATE TABLE event (
	seq      INTEGER NOT NULL REFERENCES request (seq),
	i        INTEGER NOT NULL, -- place in the request, from 0
	provider TEXT    NOT NULL,
	key      TEXT    NOT NULL,
	exact    INTEGER NOT NULL,
	grp      TEXT    NOT NULL,
	type     TEXT    NOT NULL,
	object   TEXT    NOT NULL,
	at       INTEGER,          -- nanoseconds since 1970 UTC, by the provider's clock; NULL if it does not say
	ord      INTEGER NOT NULL,
	try      INTEGER NOT NULL,
	seen     INTEGER NOT NULL, -- 0 if the event counts for nothing: not a delivery, or a refused signature
	late     INTEGER NOT NULL,
	PRIMARY KEY (seq, i)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_key ON event (provider, key) WHERE seen > 0;
CREATE INDEX event_at ON event (provider, object, at, ord, key) WHERE seen > 0 AND object <> '' AND at IS NOT NULL;
CREATE INDEX event_ord ON event (provider, object, ord, key) WHERE seen > 0 AND object <> '' AND ord <> 0;

-- How far the readers are: all up to seq is done.
CREATE TABLE cursor (
	name TEXT    PRIMARY KEY,
	seq  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO cursor VALUES ('read', 0);

CREATE TABLE endpoint (
	id     INTEGER PRIMARY KEY,
	name   TEXT NOT NULL UNIQUE CHECK (name <> ''),
	config TEXT NOT NULL -- JSON, without secrets
) STRICT;

CREATE TABLE setting (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
