// Package session puts the parts together: capture behind a tunnel, forwarding
// to the handler, and what the window and the command line ask for. The
// desktop program and `anyhook` both run a Session; neither knows what is in it.
package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"anyhook.net/desktop/app/view"
	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/cert"
	"anyhook.net/desktop/capture/secret"
	"anyhook.net/desktop/capture/store"
	"anyhook.net/desktop/replay"
	"anyhook.net/desktop/replay/deliver"
	"anyhook.net/desktop/replay/forward"
	"anyhook.net/desktop/replay/journal"
	"anyhook.net/desktop/tunnel"
	"anyhook.net/desktop/tunnel/ngrok"
)

// A Config is what a person can choose at the start.
type Config struct {
	Dir           string             // the data folder; made if it is not there
	Listen        string             // where to capture, "127.0.0.1:4080"; "" captures and forwards nothing
	AnyPort       bool               // if Listen's port is taken, take the next free one
	MaxBody       int64              // the largest body taken, in bytes; 0 means capture.DefaultMaxBody
	NoKeychain    bool               // keep secrets in a 0600 file of the data folder, whatever the system has
	Endpoints     []capture.Endpoint // set before anything is captured or forwarded; those of other paths stay
	RemoteTargets bool               // replays may go to targets that are not this machine
	Logger        *slog.Logger

	OnAttempt func(replay.Attempt) // told of every attempt that ended, on the goroutine that made it; nil tells nobody
	Ngrok     func(*ngrok.Backend) // changes the backend before it starts, for tests against another edge; nil leaves it

	now   func() time.Time // for tests; nil is time.Now
	certs cert.Options     // for tests; its Now is now
}

// A Session is AnyHook at work. Its methods may be called from any goroutine.
type Session struct {
	*Archive
	cfg      Config
	db       *store.DB
	settings *store.Settings
	secrets  *secret.Store
	router   *capture.Router
	keep     *endpoints
	sender   *deliver.Sender
	forward  *forward.Forwarder
	keeper   *tunnel.Keeper
	ingest   *capture.Ingest // nil when it captures nothing
	server   *http.Server    // nil when it captures nothing
	before   capture.Seq     // the newest request that was there at the start
	targets  *targets
	certs    *cert.Store
	practice practiceShop
	prober   prober
	oneTest  sync.Mutex // held by the one test of the public URL
	now      func() time.Time

	localURL  string
	portTaken int

	recipes sync.Mutex // one change of the providers that the user described at a time

	mu       sync.Mutex // guards what follows
	trouble  error      // why nothing can be stored
	choice   view.TunnelChoice
	tested   string // the public URL whose last test was good; "" for none
	hasToken bool
	paused   bool

	ctx    context.Context // of the work behind; ended by Close
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
}

var _ view.Desk = (*Session)(nil)

// Start starts a session, which works until Close. ctx bounds the starting only.
func Start(ctx context.Context, cfg Config) (_ *Session, err error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.now == nil {
		cfg.now = time.Now
	}
	if cfg.MaxBody == 0 {
		cfg.MaxBody = capture.DefaultMaxBody
	}
	db, err := store.Open(ctx, filepath.Join(cfg.Dir, FileName))
	if err != nil {
		return nil, err
	}
	s := &Session{cfg: cfg, db: db, settings: store.NewSettings(db), now: cfg.now}
	s.ctx, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	j, err := journal.Open(ctx, db)
	if err != nil {
		return s, fmt.Errorf("open the journal: %w", err)
	}
	s.Archive = &Archive{log: store.NewLog(db), journal: j, known: &capture.Providers{}, close: db.Close}
	if _, err := s.Recipes(ctx); err != nil {
		return s, err
	}
	if err := s.open(ctx); err != nil {
		return s, err
	}
	if err := s.afterPractice(ctx); err != nil {
		return s, fmt.Errorf("leave the practice handler: %w", err)
	}
	if err := s.SetEndpoints(ctx, cfg.Endpoints...); err != nil {
		return s, err
	}
	s.before = s.log.Last()
	if err := s.capture(ctx); err != nil {
		return s, err
	}
	s.wg.Go(s.readEvents)
	if cfg.Listen != "" {
		s.wg.Go(s.forwardAll)
		s.wg.Go(func() { s.targets.run(s.ctx) })
	}
	return s, nil
}

// open reads the endpoints and what was chosen last time.
func (s *Session) open(ctx context.Context) (err error) {
	if s.secrets, err = secret.Open(ctx, s.cfg.Dir, secret.Options{NoKeychain: s.cfg.NoKeychain}); err != nil {
		return fmt.Errorf("open the secrets: %w", err)
	}
	s.router = &capture.Router{}
	s.keep = &endpoints{file: store.NewEndpoints(s.db), secrets: s.secrets, router: s.router, known: s.known}
	if err := s.keep.load(ctx); err != nil {
		return err
	}
	s.cfg.certs.Now = s.now
	s.certs = certificates(s.cfg.Dir, s.cfg.certs)
	s.sender = s.newSender()
	s.targets = newTargets(s)
	s.forward = s.newForwarder()
	if s.choice, err = s.remembered(ctx); err != nil {
		return err
	}
	_, err = s.secrets.Get(ctx, tokenSecret)
	s.hasToken = err == nil
	if errors.Is(err, secret.ErrNotFound) || errors.Is(err, secret.ErrKeychain) {
		return nil // asked again when it is needed
	}
	return err
}

// readEvents reads what requests tell of, behind the acknowledgement.
func (s *Session) readEvents() {
	err := s.log.ReadAll(s.ctx, func(r *capture.Request) {
		capture.Read(r, s.known, s.endpointOf(r))
	})
	if err != nil && s.ctx.Err() == nil {
		s.cfg.Logger.Error("reading events stopped", "err", err)
		s.setTrouble(err)
	}
}

// forwardAll forwards; what AnyHook could not do, it tries again.
func (s *Session) forwardAll() {
	for s.ctx.Err() == nil {
		err := s.forward.Run(s.ctx)
		if err == nil || s.ctx.Err() != nil {
			continue
		}
		s.cfg.Logger.Error("forwarding stopped", "err", err)
		s.setTrouble(err)
		select {
		case <-time.After(again):
		case <-s.ctx.Done():
		}
		s.setTrouble(nil)
	}
}

// again is the pause after an error of AnyHook's own.
const again = 2 * time.Second

// setTrouble notes why nothing can be stored, and nil when it works again.
func (s *Session) setTrouble(err error) {
	s.mu.Lock()
	s.trouble = err
	s.mu.Unlock()
	s.db.Bell.Ring()
}

// Close stops everything that Start started: what arrived is stored and
// answered first, without waiting for the handler any more; what is being
// delivered ends as canceled, and what waits to be delivered waits for the next
// start. It returns within seconds.
func (s *Session) Close() error {
	s.Leave()
	s.practice.stop()
	s.wg.Wait()
	var err error
	if s.secrets != nil {
		err = s.secrets.Close()
	}
	return errors.Join(err, s.db.Close())
}
