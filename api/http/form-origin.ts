import { badRequest } from './http-errors.ts';

/**
 * Refuses a form that another site's page sent. Browsers say where a post comes from in Sec-Fetch-Site or, older ones,
 * in Origin; what says neither is no browser and carries no session.
 */
export function assertOwnOrigin(headers: Headers, own: readonly string[]): void {
  const site = headers.get('sec-fetch-site');
  const from = headers.get('origin');
  const ours = site !== null ? site === 'same-origin' : from === null || own.includes(from);
  if (!ours) throw badRequest('This form was sent from another site');
}
