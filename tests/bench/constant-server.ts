import { Elysia } from 'elysia';

/** Serves the answer of one page as a constant, headers and all: what the product's page is compared with. */
const [page = ''] = process.argv.slice(2);
const answer = await fetch(page, { headers: { 'accept-encoding': 'gzip, br' }, decompress: false });
const bytes = await answer.arrayBuffer();
const headers = Object.fromEntries(
  [...answer.headers].filter(([name]) => !['date', 'connection', 'transfer-encoding'].includes(name)),
);

const app = new Elysia()
  .get('/t/:slug', () => new Response(bytes, { headers }))
  .listen({ port: 0, hostname: '127.0.0.1' });
console.log(app.server?.url.href.replace(/\/$/, ''));
