// NestJS: ask for the raw body when the app is made.
const app = await NestFactory.create(AppModule, { rawBody: true });

@Post("webhooks")
receive(@Req() req: RawBodyRequest<Request>) {
  verify(req.rawBody, req.headers); // a Buffer
}
