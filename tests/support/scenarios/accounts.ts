import { vi } from 'vitest';
import type { SignedIn, TestApp } from '#tests/support/app/api.ts';
import type { Answer, Client } from '#tests/support/app/api-client.ts';
import { linkIn, type MessageApp, sentMail, sentSms } from '#tests/support/app/messages.ts';
import { sendForm } from './job-requests.ts';
import { readyToComplete } from './registrations.ts';

let count = 0;

/** An address that no account has. */
export const freshEmail = () => `new-${(count += 1)}@ngata.example`;

/** An Australian mobile that no account has, in E.164. */
export const freshPhone = () => `+6149157${String((count += 1)).padStart(4, '0')}`;

export type Person = Pick<SignedIn, 'get' | 'post' | 'put' | 'password'>;

export function login(client: Client, email: string, password: string): Promise<Answer> {
  return client.post('/api/authenticate/login', { email, password });
}

export function changeEmail(who: Person, email: string, currentPassword = who.password): Promise<Answer> {
  return who.put('/api/authenticate/email', { email, currentPassword });
}

export function changePhone(who: Person, phone: string, currentPassword = who.password): Promise<Answer> {
  return who.put('/api/registration/account', { phone, currentPassword });
}

export async function contactOf(who: Person) {
  return (await who.get('/api/settings/contact')).body.contact;
}

/** What stands behind `?t=` in the newest mail to an address that has it. */
export async function tokenSentTo(app: TestApp, email: string): Promise<string> {
  const mail = (await sentMail(app, email)).findLast(({ text }) => text.includes('?t='));
  if (!mail) throw new Error('no mail came');
  return new URLSearchParams(linkIn(mail).split('?')[1]).get('t') ?? '';
}

/** The six digits in the newest SMS to a number; empty when there is none. */
export async function codeSentTo(app: TestApp, phone: string): Promise<string> {
  return /\b\d{6}\b/.exec((await sentSms(app, phone)).at(-1)?.text ?? '')?.[0] ?? '';
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

/** The path in a mail; empty without one. */
export const pathIn = (mail: Readonly<{ text: string }> | undefined) => (mail ? linkIn(mail) : '');

/** How many times Argon2 ran while `work` did, to hash or to compare: what a login costs, without a clock. */
export async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  const spies = [vi.spyOn(Bun.password, 'hash'), vi.spyOn(Bun.password, 'verify')];
  try {
    await work();
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Moves `Date.now` on, by which the limits of accounts count; `vi.useRealTimers` takes it back. */
export function passTime(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
}
