// Hono, Bun, Deno, Cloudflare Workers: the body can be read once, so read it as text.
app.post("/webhooks", async (c) => {
  const raw = await c.req.text();
  verify(raw, c.req.raw.headers);
  const event = JSON.parse(raw);
  return c.body(null, 200);
});
