package capture

// StrayBytes are what came on a connection and never became a request for a
// handler: the HTTP server turned it away by itself, or did not come to it.
type StrayBytes struct {
	Peer     string // the IP address it came from, or ""
	Bytes    []byte // from its first byte on, cut short where it is very long
	Note     string // what is wrong with it, for people
	Answered int    // the status it got; 0 for none
}
