package secret

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
)

// fileName is the file's name in the data folder.
const fileName = "secrets.json"

// most is how long the file may be, in bytes.
const most = 4 << 20

// A file is what stands in the file. The names are stored.
type file struct {
	Version int              `json:"version"`
	Folder  string           `json:"folder"`
	Names   map[string]entry `json:"names"`
}

// An entry is one secret. With both, the value is the one to fall back on
// until the keychain has the new one.
type entry struct {
	Keychain bool   `json:"keychain,omitzero"`
	Value    string `json:"value,omitzero"`
}

func (f *file) key(name string) string { return f.Folder + "/" + name }

// load reads the file. One that is not there is empty; a leftover of a save is
// ignored, since it may be half written.
func (s *Store) load() (*file, error) {
	r, err := s.dir.Open(fileName)
	if errors.Is(err, fs.ErrNotExist) {
		return &file{Version: 1, Names: map[string]entry{}}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the secrets: %w", err)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, fmt.Errorf("read the secrets: %w", err)
	}
	f, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, s.path)
	}
	return f, nil
}

// parse returns ErrDamaged for whatever it does not understand, without saying
// what stands there.
func parse(b []byte) (*file, error) {
	var f file
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if len(b) > most || d.Decode(&f) != nil {
		return nil, ErrDamaged
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, ErrDamaged
	}
	if f.Version != 1 || f.Names == nil {
		return nil, ErrDamaged
	}
	for name, e := range f.Names {
		if checkName(name) != nil || (e.Keychain && f.Folder == "") {
			return nil, ErrDamaged
		}
	}
	return &f, nil
}

// save puts f in the place of the file, whole or not at all, even if the
// machine loses its power meanwhile.
func (s *Store) save(f *file) (err error) {
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("save the secrets: %w", err)
	}
	const temp = fileName + ".new"
	defer func() {
		if err != nil {
			_ = s.dir.Remove(temp) // best effort; the next save writes over it
			err = fmt.Errorf("save the secrets: %w", err)
		}
	}()
	if err := s.dir.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// O_EXCL: not through a link that somebody else put there, and with our mode.
	w, err := s.dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	err = errors.Join(err, w.Sync(), w.Close())
	if err != nil {
		return err
	}
	if err := s.dir.Rename(temp, fileName); err != nil {
		return err
	}
	return s.syncDir()
}

// syncDir makes the rename last. Windows does so by itself, and cannot be asked.
func (s *Store) syncDir() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := s.dir.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
