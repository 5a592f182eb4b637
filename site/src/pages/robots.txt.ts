import type { APIRoute } from 'astro';

export const prerender = false;

/** What is not for search engines: answers, what belongs to an account, and links that open something. */
const closed = [
  ...['/api/', '/jobs', '/profile', '/chatbot', '/logout'],
  ...['/answer/', '/not-needed/', '/unsubscribe/', '/your-details/', '/dev/'],
];

export const GET: APIRoute = ({ url }) => {
  const lines = ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), ''];
  return new Response([...lines, `Sitemap: ${url.origin}/sitemap.xml`, ''].join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
};
