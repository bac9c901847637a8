package view

// Clear takes what is here now out of the list, until Unclear. Nothing is
// deleted. It returns how many requests that were.
func (x *Inbox) Clear() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := x.last - x.before
	x.before = x.last
	x.again()
	return int64(n)
}

// Unclear brings back what was cleared away.
func (x *Inbox) Unclear() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.before = 0
	x.again()
}

// Cleared is how many requests were cleared away.
func (x *Inbox) Cleared() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return int64(x.before)
}
