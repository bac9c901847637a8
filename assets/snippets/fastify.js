// Fastify: take the body as a Buffer, and parse it yourself.
app.addContentTypeParser("*", { parseAs: "buffer" }, (req, body, done) => done(null, body));
app.post("/webhooks", async (req) => {
  verify(req.body, req.headers);
  const event = JSON.parse(req.body);
  return {};
});
