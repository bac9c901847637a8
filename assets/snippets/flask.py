# Flask: get_data() before request.json or request.form is touched.
@app.post("/webhooks")
def webhooks():
    raw = request.get_data()  # bytes
    verify(raw, request.headers)
    event = json.loads(raw)
    return "", 200
