// Next.js, app router: read the text before anything else does.
export async function POST(request: Request) {
  const raw = await request.text(); // not request.json()
  verify(raw, request.headers);
  const event = JSON.parse(raw);
  return new Response(null, { status: 200 });
}

// Next.js, pages router: switch the body parser off for the route.
export const config = { api: { bodyParser: false } };
