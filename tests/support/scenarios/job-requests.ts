import type { WorkOrder } from '#api/intake/work-order.ts';
import type { NewJob } from '#api/jobs/add-job.ts';
import type { JobRequest } from '#core/job/request/job-request.ts';
import { withoutContact } from '#core/values/contact-in-text.ts';
import type { SignedIn, TestApp } from '#tests/support/app/api.ts';
import { type Answer, type Client, payloadOf, solve } from '#tests/support/app/api-client.ts';

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

/** A customer's request through the public form, visible in the lists; answers its job's id. */
export async function requestedJob(
  app: TestApp,
  business: SignedIn,
  request: Partial<JobRequest> = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const title = request.title ?? `Job ${crypto.randomUUID()}`;
  const answer = await sendForm(app, business.slug, { ...request, title }, headers);
  if (answer.status !== 200) throw new Error(`the form answered ${answer.status}`);
  await app.settle();
  const { jobs } = (await business.get('/api/jobs?limit=1')).body;
  if (jobs[0]?.title !== withoutContact(title))
    throw new Error('the newest job is not the one that was sent');
  return jobs[0].id;
}

/** How many events a job has. */
export async function streamLength({ deps }: TestApp, jobId: string): Promise<number> {
  return (await deps.store.readStream(`job-${jobId}`)).length;
}

/** What a tradie types into the Add-job form. */
export function aNewJob(overrides: Partial<NewJob> = {}): NewJob {
  return {
    name: 'Moana Rangi',
    email: 'moana@example.com',
    phone: '0491 570 157',
    address: '7 Weston Street, Brunswick VIC 3056, Australia',
    title: 'Switchboard upgrade',
    notes: 'Key under the mat',
    scheduledAt: null,
    ...overrides,
  };
}

/** A job that the product sends to the business with this public address. */
export function aWorkOrder(business: string, overrides: Partial<WorkOrder> = {}): WorkOrder {
  return {
    business,
    name: 'Lena Fischer',
    email: 'lena.fischer@example.com',
    phone: '0491 570 006',
    address: '3/88 Nicholson Street, Fitzroy North VIC 3068',
    title: 'Hot water unit',
    description: 'The pilot will not stay lit.',
    ...overrides,
  };
}

/** A wall time of the business's zone some days from today, as the instant that the API takes. */
export function slot(
  daysAhead: number,
  time: string,
  { timeZone = 'Australia/Melbourne', now = new Date() } = {},
): string {
  const today = now.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate();
  const at = today.add({ days: daysAhead }).toZonedDateTime({ timeZone, plainTime: time });
  return new Date(at.epochMilliseconds).toISOString();
}

/** The date so many days from now, in UTC. */
export const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
