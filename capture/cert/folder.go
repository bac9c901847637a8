package cert

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A folder keeps certificates in files that are named after a hash of the
// address: nothing of what a stranger wrote is part of a path.
type folder struct{ dir string }

const ext = ".pem"

func fileOf(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:]) + ext
}

// read returns what is kept, if it still is a certificate.
func (f folder) read(address string) (string, bool) {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return "", false
	}
	defer root.Close()
	file, err := root.Open(fileOf(address))
	if err != nil {
		return "", false
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 2*maxSize))
	if err != nil {
		return "", false
	}
	chain, err := parse(text)
	if err != nil {
		return "", false
	}
	return written(chain), true
}

// write keeps a certificate. A file is whole or not there.
func (f folder) write(address, cert string) error {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("keep a certificate: %w", err)
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return fmt.Errorf("keep a certificate: %w", err)
	}
	defer root.Close()
	f.tidy(root)
	name := fileOf(address)
	half := strings.TrimSuffix(name, ext) + ".new"
	if err := root.WriteFile(half, []byte(cert), 0o600); err != nil {
		return fmt.Errorf("keep a certificate: %w", err)
	}
	if err := root.Rename(half, name); err != nil {
		return fmt.Errorf("keep a certificate: %w", errors.Join(err, root.Remove(half)))
	}
	return nil
}

// tidy makes room for one more: the oldest go.
func (f folder) tidy(root *os.Root) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && filepath.Ext(e.Name()) == ext {
			files = append(files, info)
		}
	}
	for len(files) >= maxKept {
		oldest := 0
		for i, file := range files {
			if file.ModTime().Before(files[oldest].ModTime()) {
				oldest = i
			}
		}
		_ = root.Remove(files[oldest].Name())
		files = append(files[:oldest], files[oldest+1:]...)
	}
}
