// Spring: take bytes, not an object. A filter must not have read the body before.
@PostMapping("/webhooks")
ResponseEntity<Void> webhooks(@RequestBody byte[] raw, @RequestHeader HttpHeaders headers) {
    verify(raw, headers);
    var event = mapper.readTree(raw);
    return ResponseEntity.ok().build();
}
