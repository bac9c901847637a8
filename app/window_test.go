//go:build e2e

package main

import (
	"os"
	"testing"
)

// TestMain makes the test binary the program itself where a test started it as one.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		os.Exit(program())
	}
	os.Exit(m.Run())
}
