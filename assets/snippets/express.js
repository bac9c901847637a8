// Express: keep express.json() away from this path, or mount it after this route.
app.post("/webhooks", express.raw({ type: "*/*" }), (req, res) => {
  verify(req.body, req.headers); // req.body is a Buffer: the bytes as they came
  const event = JSON.parse(req.body);
  res.sendStatus(200);
});
