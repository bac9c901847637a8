// ASP.NET Core: read the stream; no [FromBody].
app.MapPost("/webhooks", async (HttpRequest request) =>
{
    using var buffer = new MemoryStream();
    await request.Body.CopyToAsync(buffer);
    var raw = buffer.ToArray();
    Verify(raw, request.Headers);
    return Results.Ok();
});
