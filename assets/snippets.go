package assets

import "embed"

//go:embed snippets
var snippets embed.FS

// A Snippet shows how to get at the bytes of a body in a framework, before
// something parses them.
type Snippet struct{ Title, Code string }

// Snippets are those of the common frameworks, by what most people use first.
func Snippets() []Snippet {
	var out []Snippet
	for _, s := range []struct{ title, file string }{
		{"Express", "express.js"},
		{"Next.js", "nextjs.ts"},
		{"NestJS", "nestjs.ts"},
		{"Fastify", "fastify.js"},
		{"Hono, Bun, Workers", "hono.ts"},
		{"FastAPI", "fastapi.py"},
		{"Flask", "flask.py"},
		{"Django", "django.py"},
		{"Rails", "rails.rb"},
		{"Laravel", "laravel.php"},
		{"Spring", "spring.java"},
		{"ASP.NET Core", "aspnet.cs"},
		{"Go", "nethttp.go.txt"},
	} {
		code, err := snippets.ReadFile("snippets/" + s.file)
		if err != nil {
			continue // every file is held to be there by a test
		}
		out = append(out, Snippet{s.title, string(code)})
	}
	return out
}
