package replay

import (
	"fmt"
	"time"
)

// A HandlerState is how a handler is doing that AnyHook starts by a command.
type HandlerState struct {
	Phase  HandlerPhase
	Since  time.Time // of the phase; zero for one never started
	Status string    // of HandlerEnded: "exit status 1"
}

// A HandlerPhase is where the life of a handler stands.
type HandlerPhase string

// The phases.
const (
	HandlerOff       HandlerPhase = ""          // never started
	HandlerStarting  HandlerPhase = "starting"  // its command runs, and nothing listens yet
	HandlerListening HandlerPhase = "listening" // takes connections, or did when it was looked at
	HandlerEnded     HandlerPhase = "ended"     // by itself
	HandlerStopped   HandlerPhase = "stopped"   // because it was asked to
	HandlerKilled    HandlerPhase = "killed"    // by a fault, or because it did not listen in time
)

// Runs reports whether there are processes of it.
func (s HandlerState) Runs() bool {
	return s.Phase == HandlerStarting || s.Phase == HandlerListening
}

// A HandlerError says why a handler was not started, or is not dead.
type HandlerError struct {
	Trouble HandlerTrouble
	Command string // on one line, made fit to be shown
	Target  string
	Status  string        // of EndedEarly: "exit status 1"
	Within  time.Duration // of NotListening: how long it was waited for
	Printed string        // the last lines that it printed, made fit to be shown; "" for none
}

// A HandlerTrouble is a kind of HandlerError.
type HandlerTrouble int

// The troubles.
const (
	ServedByAnother HandlerTrouble = iota // something listens at Target already
	EndedEarly                            // before it listened
	NotListening                          // in time; it was killed
	StillServed                           // it is dead, and something listens at Target: it was started elsewhere
	NotDead                               // though it was killed
)

// Error implements error.
func (e *HandlerError) Error() string {
	switch e.Trouble {
	case ServedByAnother:
		return e.Target + " is already served by another program: stop it, so that AnyHook can start it with this command, or leave the command empty"
	case EndedEarly:
		return fmt.Sprintf("%s ended (%s) before anything listened at %s%s", e.Command, e.Status, e.Target, e.printed())
	case NotListening:
		return fmt.Sprintf("nothing listened at %s within %v after %s was started%s", e.Target, e.Within, e.Command, e.printed())
	case StillServed:
		return fmt.Sprintf("%s was killed, and something still listens at %s: it was started elsewhere, and AnyHook cannot stop it", e.Command, e.Target)
	default:
		return e.Command + " was killed, and does not die"
	}
}

func (e *HandlerError) printed() string {
	if e.Printed == "" {
		return "; it printed nothing"
	}
	return "; it printed:\n" + e.Printed
}
