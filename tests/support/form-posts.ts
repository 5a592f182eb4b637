import type { Answer, Client } from './api-client.ts';

let count = 0;

/** Sends a public form as a browser without JavaScript does; every request is another one. */
export function postForm(client: Client, slug: string, fields: Record<string, string> = {}): Promise<Answer> {
  count += 1;
  const body = new URLSearchParams({
    name: 'Aroha Tāwhiri',
    email: 'aroha.t@example.com',
    phone: '0491 570 156',
    address: '22/140 Lygon St, Brunswick East VIC 3057',
    title: `Leaking shower ${count}`,
    website: '',
    ...fields,
  });
  return client.send('POST', `/t/${slug}`, {
    body: body.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  });
}
