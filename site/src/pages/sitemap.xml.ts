import type { APIRoute } from 'astro';

export const prerender = false;

/** The product's own pages for everybody. Which businesses there are is not for a list. */
const paths = ['/login', '/register/tradie', '/book-demo', '/terms', '/privacy'];

/** What a search engine may look at, under the address that browsers see. */
export const GET: APIRoute = ({ url }) => {
  const entries = paths.map((path) => `<url><loc>${url.origin}${path}</loc></url>`).join('\n');
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries}
</urlset>
`;
  return new Response(text, {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
};
