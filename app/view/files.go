package view

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"anyhook.net/desktop/app/text"
	"anyhook.net/desktop/capture"
)

// IDs returns the ids of requests, in the order asked for.
func IDs(ctx context.Context, desk Desk, seqs []capture.Seq) ([]capture.ID, error) {
	sums, err := Planner{Desk: desk}.summaries(ctx, seqs)
	if err != nil {
		return nil, err
	}
	ids := make([]capture.ID, len(sums))
	for i, s := range sums {
		ids[i] = s.ID
	}
	return ids, nil
}

// maxCurl is the longest command that is put into the clipboard.
const maxCurl = 4 << 20

// Curl returns a command that sends the request again, as the export of one
// request writes it. A body that does not fit into a command needs the export.
func Curl(ctx context.Context, desk Desk, seq capture.Seq) (string, error) {
	ids, err := IDs(ctx, desk, []capture.Seq{seq})
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "anyhook-curl-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	names, err := desk.Export(ctx, dir, "curl", false, ids)
	if err != nil {
		return "", err
	}
	if len(names) != 1 {
		return "", errors.New(text.T("curl.files"))
	}
	name := names[0]
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if info.Size() > maxCurl {
		return "", errors.New(text.T("curl.files"))
	}
	data, err := os.ReadFile(name)
	return string(data), err
}
