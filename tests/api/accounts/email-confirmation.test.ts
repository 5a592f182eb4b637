import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkPages } from '#api/app.ts';
import type { PageRenderer } from '#api/deps.ts';
import { withLinkPages } from '#api/pages/cached-pages.ts';
import { type MessageApp, messageApp, pathIn, sentMail } from '#tests/support/app/messages.ts';
import { sendForm } from '#tests/support/scenarios/job-requests.ts';
import { unconfirmedEnv, unconfirmedOwners } from '#tests/support/scenarios/limited-forms.ts';

const DAY = 24 * 60;
let app: MessageApp;
let of: ReturnType<typeof unconfirmedOwners>;
beforeAll(async () => {
  app = await messageApp({ env: unconfirmedEnv });
  of = unconfirmedOwners(app);
});
afterAll(() => app.close());

const shown = async (path: string) => {
  let locals: unknown;
  const render: PageRenderer = async (_, init) => {
    locals = init.locals;
    return new Response('', { status: init.status ?? 200 });
  };
  const { status } = await withLinkPages(render, linkPages(app.deps))(
    new Request(`http://localhost${path}`),
    {
      clientAddress: '',
    },
  );
  return { status, locals };
};

test('who registers has one welcome mail, and a press on its page confirms the address', async () => {
  const owner = await of.registered({ tradingName: 'Marker Roofing' });
  const [mail, ...others] = await of.welcomesOf(owner);
  expect(others).toEqual([]);
  expect(JSON.stringify(mail)).not.toMatch(/Marker|Robin|Fenwickton/);
  const path = pathIn(mail);
  expect(path).toMatch(/^\/welcome\/[\w-]{43}$/);
  for (let n = 0; n < 2; n += 1) {
    expect(await shown(path)).toEqual({ status: 200, locals: { welcomeLink: { state: 'open' } } });
  }
  expect(await of.contact(owner)).toMatchObject({ unconfirmed: { mailsADay: 10, heldBack: 0 } });

  for (let n = 0; n < 2; n += 1) {
    const pressed = await of.press(path);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, path]);
    expect(await of.contact(owner)).toMatchObject({ unconfirmed: null });
  }
  expect(await shown(path)).toMatchObject({ status: 200, locals: { welcomeLink: { state: 'confirmed' } } });
  expect((await owner.post('/api/authenticate/email/confirmation')).status).toBe(200);
  await app.settle();
  expect(await of.welcomesOf(owner)).toHaveLength(1);
});

test('a link that is none, and one that is a week old, confirm nothing', async () => {
  const owner = await of.registered();
  const path = pathIn((await of.welcomesOf(owner))[0]);
  for (const wrong of [`/welcome/${'A'.repeat(43)}`, '/welcome/x', `${path}x`]) {
    expect(await shown(wrong)).toEqual({ status: 404, locals: { welcomeLink: null } });
    await of.press(wrong);
  }
  app.pass(7 * DAY);
  expect((await shown(path)).status).toBe(404);
  await of.press(path);
  const { body } = await app.post('/api/authenticate/login', {
    email: owner.email,
    password: owner.password,
  });
  const again = app.as({ authorization: `Bearer ${body.token}` });
  expect((await again.get('/api/settings/contact')).body.contact.unconfirmed).not.toBeNull();
});

test('before that, ten mails a day go to customers; the tradie is notified of the others, and confirming sends them', async () => {
  const owner = await of.registered();
  const customers = await of.requests(owner, 12);
  expect(await of.told(customers)).toBe(10);
  expect(await of.contact(owner)).toMatchObject({ unconfirmed: { mailsADay: 10, heldBack: 2 } });
  const { jobs } = (await owner.get('/api/jobs?limit=100')).body;
  const histories = await Promise.all(
    jobs.map(async ({ id }: { id: string }) => (await owner.get(`/api/jobs/${id}/history`)).text),
  );
  const waits =
    'The receipt to the customer waits: confirm your email address, in your profile under Security, and it goes out';
  expect(histories.filter((text) => text.includes(waits))).toHaveLength(2);

  const [welcome] = await of.welcomesOf(owner);
  await of.press(pathIn(welcome));
  expect(await of.told(customers)).toBe(12);
  expect(await of.told(await of.requests(owner, 2))).toBe(2);
});

test('no mail to an address that was only typed repeats what was typed', async () => {
  const owner = await of.registered({ tradingName: 'Marker Tiling' });
  await of.requests(owner, 1);
  await of.visitor().post('/api/authenticate/forgot-password', { email: owner.email });
  await app.settle();
  const before = await sentMail(app, owner.email);
  const subjects = before.map(({ subject }) => subject);
  expect(subjects).toContainEqual(expect.stringMatching(/^New job [0-9A-Z]{6}$/));
  expect(subjects).toContain('Set a new password for Ute');
  expect(JSON.stringify(before)).not.toMatch(/Marker|Robin|Fenwickton|Brunswick/);

  const welcome = before.find(({ subject }) => subject.startsWith('Welcome'));
  await of.press(pathIn(welcome));
  await of.requests(owner, 1);
  const after = (await sentMail(app, owner.email)).slice(before.length);
  expect(after.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^New job [0-9A-Z]{6} in Brunswick East VIC$/),
  ]);
});

test('the link can be sent again, three times an hour', async () => {
  const owner = await of.registered();
  for (let n = 0; n < 3; n += 1) {
    const again = await owner.post('/api/authenticate/email/confirmation');
    expect(again).toMatchObject({ status: 200, body: { contact: { email: owner.email } } });
  }
  expect((await owner.post('/api/authenticate/email/confirmation')).status).toBe(429);
  const welcomes = await of.welcomesOf(owner);
  expect(welcomes).toHaveLength(4);
  await of.press(pathIn(welcomes[3]));
  expect(await of.contact(owner)).toMatchObject({ unconfirmed: null });
});

test('requests in the name of an address keep no link from it; the link has a budget of its own, and says so', async () => {
  const [owner, other] = [await of.registered(), await of.registered()];
  for (let n = 0; n < 8; n += 1) await sendForm(of.visitor(), other.slug, { email: owner.email });
  await app.settle();
  for (let n = 0; n < 3; n += 1) {
    expect((await owner.post('/api/authenticate/email/confirmation')).status).toBe(200);
  }
  expect(await of.welcomesOf(owner)).toHaveLength(4);

  // The hour of the account is over; limits run by the clock of their database.
  await app.deps.db.query(`delete from state.rate_limits where key like 'welcome-again:%'`);
  for (let n = 0; n < 2; n += 1) await owner.post('/api/authenticate/email/confirmation');
  expect(await of.welcomesOf(owner)).toHaveLength(6);
  const refused = await owner.post('/api/authenticate/email/confirmation');
  expect(refused).toMatchObject({
    status: 429,
    body: { message: expect.stringContaining('We have sent six links to this address today.') },
  });
});

test('an account from before is not asked', async () => {
  const dave = await app.signIn();
  expect((await dave.get('/api/settings/contact')).body.contact.unconfirmed).toBeNull();
});

test('a business that goes by another name than the register’s is named with its number', async () => {
  const other = await of.registered({ tradingName: 'Fast Fixes' });
  const [customer] = await of.requests(other, 1);
  expect((await sentMail(app, customer))[0]?.text).toMatch(/form of Fast Fixes \(ABN \d{11}\)\./);
  const dave = await app.signIn({ name: 'ACME Plumbing Pty. Ltd.', tradingName: 'Acme Plumbing' });
  const email = 'same-name@example.com';
  await sendForm(of.visitor(), dave.slug, { email });
  await app.settle();
  expect((await sentMail(app, email))[0]?.text).toContain('form of Acme Plumbing. If');
});
