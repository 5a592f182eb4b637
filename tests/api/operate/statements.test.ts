import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import type { PageRenderer } from '#api/deps.ts';
import { createPageCache, withPublicForms } from '#api/intake/public-form/form-pages.ts';
import { type Sender, startSender } from '#api/outbox/sender.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient, type Client } from '#tests/support/app/api-client.ts';
import { countStatements, type StatementCount } from '#tests/support/app/database.ts';
import { testDelivery } from '#tests/support/app/messages.ts';
import { aTicket, requestedJob, sendForm } from '#tests/support/scenarios/job-requests.ts';

let api: TestApp;
let acme: SignedIn;
let visitor: Client;
let sender: Sender;
let count: StatementCount;

beforeAll(async () => {
  count = countStatements();
  api = await testApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' }, processes: true });
  const { deps } = api;
  sender = startSender(testDelivery(api));
  api.progress.listen(({ projection, hasWritten }) => {
    if (projection === 'outbox' && hasWritten) sender.notify();
  });
  acme = await api.signIn();
  /** Stands where Astro is. */
  const astro: PageRenderer = async (_, { locals = {} }) => {
    await (locals.publicForm as (slug: string) => Promise<unknown>)(acme.slug);
    return new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  };
  const cache = createPageCache(deps.readSide);
  visitor = apiClient(
    createApp({ ...deps, pages: withPublicForms(astro, deps, cache), cachedPage: cache.fresh }),
  );
});
afterAll(async () => {
  await sender?.stop();
  await api?.close();
  count?.stop();
});

let source = 0;

/** A customer's address of its own, so that no limit of addresses is in the way. */
const from = () => ({ 'x-forwarded-for': `203.0.113.${(source++ % 250) + 1}` });
const newJob = () => requestedJob(api, acme, {}, from());
const none = async () => undefined;

/** An operation: what it needs first, the request, and the most statements that it may cost, followers included. */
const operations: readonly Readonly<{
  name: string;
  most: number;
  prepare(): Promise<unknown>;
  request(prepared: never): Promise<{ status: number }>;
}>[] = [
  {
    name: 'counts',
    most: 2,
    prepare: none,
    request: () => acme.get('/api/jobs/count'),
  },
  {
    name: 'a list',
    most: 2,
    prepare: none,
    request: () => acme.get('/api/jobs'),
  },
  {
    name: 'the details of a job that was opened before',
    most: 2,
    prepare: async () => {
      const id = await newJob();
      await acme.get(`/api/jobs/${id}`);
      return id;
    },
    request: (id: string) => acme.get(`/api/jobs/${id}`),
  },
  {
    // More than six: besides session and details a command (read, append) and what follows it (read the log, read, write and move).
    name: 'the first opening of a job',
    most: 7,
    prepare: newJob,
    request: (id: string) => acme.get(`/api/jobs/${id}`),
  },
  {
    name: 'a change of status',
    most: 6,
    prepare: async () => {
      const id = await newJob();
      await acme.put(`/api/jobs/${id}/accept`);
      return id;
    },
    request: (id: string) => acme.put(`/api/jobs/${id}`, { status: 'In progress' }),
  },
  {
    name: 'an acceptance',
    most: 9,
    prepare: newJob,
    request: (id: string) => acme.put(`/api/jobs/${id}/accept`),
  },
  {
    name: 'a public form from memory',
    most: 0,
    prepare: () => visitor.get(`/t/${acme.slug}`),
    request: () => visitor.get(`/t/${acme.slug}`),
  },
  {
    name: 'a post of a public form, with its messages',
    most: 24,
    prepare: () => aTicket(api, 'public-form', acme.slug),
    request: (ticket: string) => sendForm(api, acme.slug, {}, { 'x-bot-check': ticket, ...from() }),
  },
];

test.for(operations)('$name costs at most $most statements', async ({ name, most, prepare, request }) => {
  const asked = await count.of(most, prepare, async (prepared) => {
    expect((await request(prepared as never)).status).toBe(200);
  });
  console.info(`${name}: ${asked.length} statements`);
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(most);
});
