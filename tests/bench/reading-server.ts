/** Reads what it is sent, forgets it and answers 503; a GET is answered at once: what uploads to the product are compared with. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  maxRequestBodySize: 64 * 1024 * 1024,
  async fetch({ body }) {
    if (!body) return Response.json({ status: 'ok' });
    for await (const _ of body);
    return new Response(null, { status: 503 });
  },
});
console.log(server.url.href.replace(/\/$/, ''));
