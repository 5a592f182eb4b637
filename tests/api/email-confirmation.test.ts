import { afterAll, beforeAll, expect, test } from 'vitest';
import { withLinkPages } from '#api/answers/pages.ts';
import type { PageRenderer } from '#api/deps.ts';
import type { TestApp } from '#tests/support/api.ts';
import type { Client } from '#tests/support/api-client.ts';
import { sendForm } from '#tests/support/job-requests.ts';
import { type MessageApp, messageApp } from '#tests/support/message-app.ts';
import { linkIn, sentMail } from '#tests/support/outbox.ts';
import { readyToComplete } from '#tests/support/registrations.ts';

const DAY = 24 * 60;
let app: MessageApp;
beforeAll(async () => {
  app = await messageApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', SMS_CODES_PER_HOUR: '200' } });
});
afterAll(() => app.close());

type Owner = Client & Readonly<{ email: string; slug: string; password: string }>;
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
const pathIn = (mail: Readonly<{ text: string }> | undefined) => (mail ? linkIn(mail) : '');
const press = (path: string) =>
  app.app.handle(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { origin: 'http://localhost', 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
    }),
  );
const shown = async (path: string) => {
  let locals: unknown;
  const render: PageRenderer = async (_, init) => {
    locals = init.locals;
    return new Response('', { status: init.status ?? 200 });
  };
  const { status } = await withLinkPages(render, app.deps)(new Request(`http://localhost${path}`), {
    clientAddress: '',
  });
  return { status, locals };
};

/** So many requests of customers, each from a place and to a mailbox of its own. */
async function requests(owner: Owner, count: number): Promise<string[]> {
  const customers: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const email = `customer${visits}@example.com`;
    const { status, text } = await sendForm(visitor(), owner.slug, { title: 'Canary title', email });
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

test('who registers has one welcome mail, and a press on its page confirms the address', async () => {
  const owner = await registered({ tradingName: 'Canary Roofing' });
  const [mail, ...others] = await welcomesOf(owner);
  expect(others).toEqual([]);
  expect(JSON.stringify(mail)).not.toMatch(/Canary|Robin|Fenwickton/);
  const path = pathIn(mail);
  expect(path).toMatch(/^\/welcome\/[\w-]{43}$/);
  for (let n = 0; n < 2; n += 1) {
    expect(await shown(path)).toEqual({ status: 200, locals: { welcomeLink: { state: 'open' } } });
  }
  expect(await contact(owner)).toMatchObject({ unconfirmed: { mailsADay: 10, heldBack: 0 } });

  for (let n = 0; n < 2; n += 1) {
    const pressed = await press(path);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, path]);
    expect(await contact(owner)).toMatchObject({ unconfirmed: null });
  }
  expect(await shown(path)).toMatchObject({ status: 200, locals: { welcomeLink: { state: 'confirmed' } } });
  expect((await owner.post('/api/authenticate/email/confirmation')).status).toBe(200);
  await app.settle();
  expect(await welcomesOf(owner)).toHaveLength(1);
});

test('a link that is none, and one that is a week old, confirm nothing', async () => {
  const owner = await registered();
  const path = pathIn((await welcomesOf(owner))[0]);
  for (const wrong of [`/welcome/${'A'.repeat(43)}`, '/welcome/x', `${path}x`]) {
    expect(await shown(wrong)).toEqual({ status: 404, locals: { welcomeLink: null } });
    await press(wrong);
  }
  app.pass(7 * DAY);
  expect((await shown(path)).status).toBe(404);
  await press(path);
  const { body } = await app.post('/api/authenticate/login', {
    email: owner.email,
    password: owner.password,
  });
  const again = app.as({ authorization: `Bearer ${body.token}` });
  expect((await again.get('/api/settings/contact')).body.contact.unconfirmed).not.toBeNull();
});

test('before that, ten mails a day go to customers; the tradie is told of the others, and confirming sends them', async () => {
  const owner = await registered();
  const customers = await requests(owner, 12);
  expect(await told(customers)).toBe(10);
  expect(await contact(owner)).toMatchObject({ unconfirmed: { mailsADay: 10, heldBack: 2 } });
  const { jobs } = (await owner.get('/api/jobs?limit=100')).body;
  const histories = await Promise.all(
    jobs.map(async ({ id }: { id: string }) => (await owner.get(`/api/jobs/${id}/history`)).text),
  );
  const waits =
    'The receipt to the customer waits: confirm your email address, in your profile under Security, and it goes out';
  expect(histories.filter((text) => text.includes(waits))).toHaveLength(2);

  const [welcome] = await welcomesOf(owner);
  await press(pathIn(welcome));
  expect(await told(customers)).toBe(12);
  expect(await told(await requests(owner, 2))).toBe(2);
});

test('no mail to an address that was only typed repeats what anybody typed', async () => {
  const owner = await registered({ tradingName: 'Canary Tiling' });
  await requests(owner, 1);
  await visitor().post('/api/authenticate/forgot-password', { email: owner.email });
  await app.settle();
  const before = await sentMail(app, owner.email);
  const subjects = before.map(({ subject }) => subject);
  expect(subjects).toContain('New job: A job waits for your answer');
  expect(subjects).toContain('Set a new password for Ute');
  expect(JSON.stringify(before)).not.toMatch(/Canary|Robin|Fenwickton|Brunswick/);

  const welcome = before.find(({ subject }) => subject.startsWith('Welcome'));
  await press(pathIn(welcome));
  await requests(owner, 1);
  const after = (await sentMail(app, owner.email)).slice(before.length);
  expect(after.map(({ subject }) => subject)).toEqual(['New job: Canary title, Brunswick East VIC']);
});

test('the link can be sent again, three times an hour', async () => {
  const owner = await registered();
  for (let n = 0; n < 3; n += 1) {
    const again = await owner.post('/api/authenticate/email/confirmation');
    expect(again).toMatchObject({ status: 200, body: { contact: { email: owner.email } } });
  }
  expect((await owner.post('/api/authenticate/email/confirmation')).status).toBe(429);
  const welcomes = await welcomesOf(owner);
  expect(welcomes).toHaveLength(4);
  await press(pathIn(welcomes[3]));
  expect(await contact(owner)).toMatchObject({ unconfirmed: null });
});

test('an account from before is not asked', async () => {
  const dave = await app.signIn();
  expect((await dave.get('/api/settings/contact')).body.contact.unconfirmed).toBeNull();
});

test('a business that goes by another name than the register’s is named with its number', async () => {
  const other = await registered({ tradingName: 'Fast Fixes' });
  const [customer] = await requests(other, 1);
  expect((await sentMail(app, customer))[0]?.text).toMatch(/form of Fast Fixes \(ABN \d{11}\)\./);
  const dave = await app.signIn({ name: 'ACME Plumbing Pty. Ltd.', tradingName: 'Acme Plumbing' });
  const email = 'same-name@example.com';
  await sendForm(visitor(), dave.slug, { email });
  await app.settle();
  expect((await sentMail(app, email))[0]?.text).toContain('form of Acme Plumbing. If');
});
