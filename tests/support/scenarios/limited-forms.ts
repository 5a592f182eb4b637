import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { PageRenderer } from '#api/deps.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Client } from '#tests/support/app/api-client.ts';
import { type MessageApp, sentMail } from '#tests/support/app/messages.ts';
import { aTicket, sendForm } from './job-requests.ts';
import { readyToComplete } from './registrations.ts';

export const MINUTE = 60_000;

/**
 * An app for a test file in which the limits of public forms count, and clients are told apart by `x-forwarded-for`. Each test has a
 * business of its own, `acme`, and begins 26 hours after the one before, so that no limit remembers that.
 */
export function limitedForms() {
  let at = Date.parse('2026-11-03T01:00:00.000Z');
  let app: TestApp;
  let acme: SignedIn;
  const now = () => new Date(at);
  beforeAll(async () => {
    app = await testApp({ now, env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
  });
  beforeEach(async () => {
    at += 26 * 60 * MINUTE;
    acme = await app.signIn();
  });
  afterAll(() => app?.close());

  /** A client at this address. */
  const from = (address: string) => app.as({ 'x-forwarded-for': address });
  return {
    get app() {
      return app;
    },
    get acme() {
      return acme;
    },
    now,
    /** Moves the clock, by milliseconds. */
    pass(ms: number): void {
      at += ms;
    },
    from,
    /** A request to the business by its page; the same key sends the same. */
    post: (address: string, key: string = crypto.randomUUID()) =>
      sendForm(from(address), acme.slug, { title: `Job ${key}` }, { 'idempotency-key': key }),
  };
}

export const MB = 1024 * 1024;

/** The beginning of a file in the body of a form. */
export const filePart = (name: string) =>
  `--x\r\ncontent-disposition: form-data; name="media"; filename="${name}"\r\n\r\n`;
/** The end of such a body. */
export const END = '\r\n--x--\r\n';

const formHeaders = { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-origin' };
const METRICS = 'token-of-the-metrics-page-alone';
const pages: PageRenderer = async (_request, { status = 200 }) => new Response('the form', { status });

/** An app for a test file that keeps 32 MiB of uploads in memory and tells clients apart by `x-forwarded-for`, and its business. */
export function uploads(now?: () => Date) {
  let app: TestApp;
  let acme: SignedIn;
  let clients = 0;
  beforeAll(async () => {
    app = await testApp({
      ...{ pages, ...(now ? { now } : {}) },
      env: {
        ...{ RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', UPLOAD_BUDGET_MB: '32' },
        METRICS_TOKEN: METRICS,
      },
    });
    acme = await app.signIn({ plan: 'plus' });
  });
  afterAll(() => app?.close());

  /** A client with an address of its own, which no limit knows yet. */
  function aClient() {
    clients += 1;
    return { 'x-forwarded-for': `10.9.${clients >> 8}.${clients & 255}` };
  }

  return {
    get app() {
      return app;
    },
    get acme() {
      return acme;
    },
    aClient,
    /** Sends a form whose boundary is `x`, as a browser without JavaScript does. */
    postForm: (body: BodyInit, client: Record<string, string>, slug = acme.slug) =>
      app.send('POST', `/t/${slug}`, { body, headers: { ...formHeaders, ...client } }),
    /** Sends a file before its request, with a ticket that is earned for it unless the headers bring one. */
    async postFile(body: BodyInit, client: Record<string, string>, slug = acme.slug) {
      const ticket = client['x-bot-check'] ?? (await aTicket(app));
      return app.send('POST', `/api/public-forms/${slug}/media?name=a.pdf`, {
        body,
        headers: { ...client, 'x-bot-check': ticket },
      });
    },
    /** Bytes of uploads that the process keeps in memory. */
    async inFlight(): Promise<number> {
      const { text } = await app.get('/api/metrics', { ...aClient(), authorization: `Bearer ${METRICS}` });
      return Number(/^ute_upload_bytes (\d+)$/m.exec(text)?.[1]);
    },
  };
}

/** What an app needs for them: limits that count, and clients told apart by `x-forwarded-for`. */
export const unconfirmedEnv = { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', SMS_CODES_PER_HOUR: '200' };

/** The signed-in owner of a business whose email awaits its confirmation. */
export type Owner = Client & Readonly<{ email: string; slug: string; password: string }>;

/** Businesses that register with an app of `unconfirmedEnv`, and their customers, each from a client of its own. */
export function unconfirmedOwners(app: MessageApp) {
  let visits = 0;
  const visitor = () => {
    visits += 1;
    return app.as({ 'x-forwarded-for': `203.0.${visits}.7` });
  };
  /** The same process for another client. */
  const through = () => ({
    ...app,
    as: (headers: object) => app.as({ 'x-forwarded-for': `198.51.100.${visits}`, ...headers }),
  });

  async function registered(overrides = {}): Promise<Owner> {
    visits += 1;
    const { client, who } = await readyToComplete(through() as TestApp, overrides);
    const { body, status, text } = await client.post('/api/registration');
    if (status !== 200) throw new Error(text);
    await app.settle();
    const { email, password } = who;
    return {
      ...app.as({ authorization: `Bearer ${body.token}` }),
      email,
      password,
      slug: body.user.slug,
    };
  }

  const welcomesOf = async ({ email }: Owner) =>
    (await sentMail(app, email)).filter(({ subject }) => subject.startsWith('Welcome'));
  const contact = async (owner: Owner) => (await owner.get('/api/settings/contact')).body.contact;
  const press = (path: string) =>
    app.app.handle(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { origin: 'http://localhost', 'content-type': 'application/x-www-form-urlencoded' },
        body: '',
      }),
    );
  /** So many requests of customers, each from a place and to a mailbox of its own. */
  async function requests(owner: Owner, count: number): Promise<string[]> {
    const customers: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const email = `customer${visits}@example.com`;
      const { status, text } = await sendForm(visitor(), owner.slug, { title: 'Marker title', email });
      if (status !== 200) throw new Error(text);
      customers.push(email);
    }
    await app.settle();
    return customers;
  }
  /** How many of these customers have mail by now. */
  async function told(customers: readonly string[]): Promise<number> {
    const mailed = new Set((await sentMail(app)).map(({ to }) => to));
    return customers.filter((email) => mailed.has(email)).length;
  }

  return { visitor, registered, welcomesOf, contact, press, requests, told };
}
