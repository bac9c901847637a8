package capture_test

import (
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"anyhook.net/desktop/capture"
)

func TestItIsToldWhenASenderHasItsAnswerOrWentAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, fixed(capture.Fixed{Status: 500, Delay: time.Hour}))
		dial, stop := d.inMemory()
		defer stop()
		patient, hasty := dial(), dial()
		_, _ = io.WriteString(hasty, post("/f", "", "{}"))
		gone := d.log.next()
		_, _ = io.WriteString(patient, post("/f", "", "{}"))
		r := d.log.next()
		over := d.Over(r.ID)
		select {
		case <-over:
			t.Fatal("it still waits")
		case <-d.Over("req_of_yesterday"):
		}
		_ = hasty.Close()
		<-d.Over(gone.ID)
		require.Equal(t, 500, read(t, patient, "POST").status)
		<-over
		require.Equal(t, map[capture.ID]int{r.ID: 500}, d.log.answered)
		_ = patient.Close()
	})
}

// One that takes no answer would else be held, with its body, for ever.
func TestSenderThatDoesNotReadItsAnswerIsLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, fixed(capture.Fixed{Status: 500, Delay: time.Hour}))
		dial, stop := d.inMemory()
		defer stop()
		c := dial()
		start := time.Now()
		_, _ = io.WriteString(c, post("/f", "", "{}"))
		r := d.log.next()
		<-d.Over(r.ID)
		require.Equal(t, time.Hour+time.Minute, time.Since(start))
		require.Empty(t, d.log.answered)
		_ = c.Close()
	})
}

func TestAnyMaxBodyIsOneThatBodiesFindRoomFor(t *testing.T) {
	t.Parallel()
	for _, most := range []int64{0, 1 << 20, capture.LimitMaxBody, math.MaxInt64} {
		d := newDesk(t)
		d.MaxBody = most
		d.serve(t)
		require.Equal(t, 200, d.send(t, post("/in", "", "{}")).status)
		require.Equal(t, 200, d.send(t, "POST /in HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"+chunked("{}", 1)).status)
		d.log.next()
		d.log.next()
		require.Equal(t, 413, d.send(t, "POST /in HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9223372036854775807\r\n\r\n").status)
		require.Equal(t, capture.Oversize, d.log.next().Kind)
	}
}
