package assets

// What FyneApp.toml says of this program too, held by a test.
const (
	Version = "0.1.0"
	Website = "https://anyhook.net" // where its documentation is
)
