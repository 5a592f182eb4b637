import type { JobRequest } from '#core/job/commands.ts';
import type { Answer, Client } from './api-client.ts';
import { payloadOf, solve } from './bot-check.ts';

/** What a customer types into a public form. */
export function aJobRequest(overrides: Partial<JobRequest> = {}): JobRequest {
  return {
    name: 'Aroha Tāwhiri',
    email: 'aroha.t@example.com',
    phone: '0491 570 156',
    address: '22/140 Lygon St, Brunswick East VIC 3057',
    title: 'Leaking shower mixer',
    description: 'The hot tap will not close.',
    ...overrides,
  };
}

/** Solves a bot check, of one business's form where it is named, and answers the ticket. */
export async function aTicket(client: Client, scope = 'public-form', form?: string): Promise<string> {
  const query = new URLSearchParams({ scope, ...(form === undefined ? {} : { form }) });
  const { body } = await client.get(`/api/bot-check/challenge?${query}`);
  const payload = payloadOf(body.challenge, await solve(body.challenge));
  const answer = await client.post('/api/bot-check/verify', { scope, payload });
  if (answer.status !== 200) throw new Error(`the bot check answered ${answer.status}`);
  return answer.body.ticket;
}

/** Sends a public form as its page does: a bot check, then the request. */
export async function sendForm(
  client: Client,
  slug: string,
  request: Partial<JobRequest> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const ticket = headers['x-bot-check'] ?? (await aTicket(client, 'public-form', slug));
  return client.post(`/api/public-forms/${slug}/jobs`, aJobRequest(request), {
    'x-bot-check': ticket,
    ...headers,
  });
}
