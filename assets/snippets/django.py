# Django: request.body is the bytes; the path must be free of the CSRF check.
@csrf_exempt
def webhooks(request):
    verify(request.body, request.headers)
    event = json.loads(request.body)
    return HttpResponse(status=200)
