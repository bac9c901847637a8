package assets

// Version is this program's; FyneApp.toml says the same, held by a test.
const Version = "0.1.0"
