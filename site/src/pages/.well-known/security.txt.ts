import type { APIRoute } from 'astro';
import { mailLink } from '#core/values/contact.ts';

export const prerender = false;

const DAY = 86_400_000;
/** Who reads it later asks again: an address that is out of date is worse than none. */
const VALID_DAYS = 180;

/** Whom to tell of a hole (RFC 9116): the operator's address where there is one, and the page that names the operator. */
export const GET: APIRoute = ({ url, locals }) => {
  const today = Math.floor(Date.now() / DAY);
  const { operatorEmail } = locals;
  const lines = [
    ...(operatorEmail ? [`Contact: ${mailLink(operatorEmail)}`] : []),
    `Contact: ${url.origin}/privacy`,
    `Expires: ${new Date((today + VALID_DAYS) * DAY).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${url.origin}${url.pathname}`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
};
