// Laravel: getContent(), not all() or json(); leave the path out of the CSRF check.
Route::post('/webhooks', function (Request $request) {
    $raw = $request->getContent();
    verify($raw, $request->headers);
    $event = json_decode($raw, true);
    return response()->noContent(200);
});
