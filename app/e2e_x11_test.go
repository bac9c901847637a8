//go:build e2e

package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cross closes the window as the cross of its frame does: with a message of
// the window manager, which xdotool cannot send. See "X Window System Protocol",
// appendix B, and ICCCM 4.2.8.1.
func (w *window) cross() {
	w.t.Helper()
	id, err := strconv.ParseUint(w.id, 10, 32)
	require.NoError(w.t, err)
	x := dial(w.t)
	defer x.conn.Close()
	protocols, remove := x.atom("WM_PROTOCOLS"), x.atom("WM_DELETE_WINDOW")
	const sendEvent, clientMessage = 25, 33
	x.send(sendEvent, []any{uint32(id), uint32(0), byte(clientMessage), byte(32), uint16(0), uint32(id), protocols, remove, uint32(0), uint32(0), uint32(0), uint32(0)})
	const getInputFocus = 43
	x.send(getInputFocus, nil)
	x.reply() // what was sent before has been done
}

// A wire is a connection to the X server.
type wire struct {
	t    testing.TB
	conn net.Conn
	root uint32 // the window of the whole screen
}

func dial(t testing.TB) *wire {
	t.Helper()
	display := strings.TrimPrefix(strings.Split(os.Getenv("DISPLAY"), ".")[0], ":")
	conn, err := net.Dial("unix", "/tmp/.X11-unix/X"+display)
	require.NoError(t, err)
	require.NoError(t, conn.SetDeadline(time.Now().Add(patience)))
	x := &wire{t: t, conn: conn}
	x.hello(display)
	return x
}

// pixel returns the colour of a pixel of the screen.
func (x *wire) pixel(left, top int16) uint32 {
	x.t.Helper()
	const getImage, pixmap = 73, 2
	require.NoError(x.t, binary.Write(x.conn, binary.LittleEndian, []byte{getImage, pixmap, 5, 0}))
	x.write([]any{x.root, left, top, uint16(1), uint16(1), uint32(0xffffffff)})
	reply := x.reply()
	data := make([]byte, 4*binary.LittleEndian.Uint32(reply[4:]))
	_, err := io.ReadFull(x.conn, data)
	require.NoError(x.t, err)
	return binary.LittleEndian.Uint32(data) & 0xffffff
}

// hello opens the connection, with the cookie of the display if there is one.
func (x *wire) hello(display string) {
	x.t.Helper()
	name, data := cookie(display)
	x.write([]any{byte('l'), byte(0), uint16(11), uint16(0), uint16(len(name)), uint16(len(data)), uint16(0), padded(name), padded(data)})
	var head struct {
		Status, _    byte
		_, _, Length uint16
	}
	require.NoError(x.t, binary.Read(x.conn, binary.LittleEndian, &head))
	setup := make([]byte, int(head.Length)*4)
	_, err := io.ReadFull(x.conn, setup)
	require.NoError(x.t, err)
	require.EqualValues(x.t, 1, head.Status, "the X server lets nobody in")
	vendor, formats := int(binary.LittleEndian.Uint16(setup[16:])), int(setup[21])
	x.root = binary.LittleEndian.Uint32(setup[32+(vendor+3)/4*4+8*formats:])
}

func (x *wire) atom(name string) uint32 {
	x.t.Helper()
	const internAtom = 16
	x.send(internAtom, []any{uint16(len(name)), uint16(0), padded([]byte(name))})
	return binary.LittleEndian.Uint32(x.reply()[8:])
}

// send sends a request.
func (x *wire) send(opcode byte, fields []any) {
	x.t.Helper()
	length := 4
	for _, f := range fields {
		length += binary.Size(f)
	}
	x.write(append([]any{opcode, byte(0), uint16(length / 4)}, fields...))
}

func (x *wire) write(fields []any) {
	x.t.Helper()
	var b bytes.Buffer
	for _, f := range fields {
		require.NoError(x.t, binary.Write(&b, binary.LittleEndian, f))
	}
	_, err := x.conn.Write(b.Bytes())
	require.NoError(x.t, err)
}

func (x *wire) reply() []byte {
	x.t.Helper()
	b := make([]byte, 32)
	_, err := io.ReadFull(x.conn, b)
	require.NoError(x.t, err)
	require.EqualValues(x.t, 1, b[0], "the X server answers with an error")
	return b
}

// cookie reads what $XAUTHORITY has for a display; nothing is fine where everybody may come in.
func cookie(display string) (name, data []byte) {
	file, err := os.Open(os.Getenv("XAUTHORITY"))
	if err != nil {
		return nil, nil
	}
	defer file.Close()
	for {
		var family uint16
		if binary.Read(file, binary.BigEndian, &family) != nil {
			return nil, nil
		}
		var parts [4][]byte // address, number, name, data
		for i := range parts {
			var n uint16
			if binary.Read(file, binary.BigEndian, &n) != nil {
				return nil, nil
			}
			parts[i] = make([]byte, n)
			if _, err := io.ReadFull(file, parts[i]); err != nil {
				return nil, nil
			}
		}
		if number := string(parts[1]); number == "" || number == display {
			return parts[2], parts[3]
		}
	}
}

// padded fills up to whole words of four bytes.
func padded(b []byte) []byte {
	return append(bytes.Clone(b), make([]byte, (4-len(b)%4)%4)...)
}
