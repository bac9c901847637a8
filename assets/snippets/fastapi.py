# FastAPI, Starlette: no model as a parameter; await the bytes.
@app.post("/webhooks")
async def webhooks(request: Request):
    raw = await request.body()
    verify(raw, request.headers)
    event = json.loads(raw)
    return Response(status_code=200)
