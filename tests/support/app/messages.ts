import type { Pace } from '#api/announcements/announce.ts';
import type { Announcement } from '#api/announcements/announcements.ts';
import type { Deps } from '#api/deps.ts';
import type { Delivery } from '#api/outbox/deliver.ts';
import { deliverDue } from '#api/outbox/sender.ts';
import { outboxPageMail } from '#api/providers/mail.ts';
import type { Mail, Sms } from '#api/providers/messages.ts';
import { type OutboxPage, outboxPage } from '#api/providers/outbox-page.ts';
import { outboxPageSms } from '#api/providers/sms.ts';
import type { RegistrationDeps } from '#api/registration/load-registration.ts';
import { messageKinds } from '#api/rooms.ts';
import type { Telemetry } from '#api/runtime/telemetry/port.ts';
import { seedBusiness } from '#api/seed/seed-business.ts';
import { accountTables } from '#projections/accounts/table.ts';
import { type SignedIn, type TestApp, type TestAppOptions, testApp } from './api.ts';
import { aBusiness } from './fixtures.ts';

export type MessageApp = TestApp &
  Readonly<{
    /** Lets so many minutes of the test's clock pass. */
    pass(minutes: number): void;
    /** Everything that was sent to the owner of a business by now, newest last. */
    toldTo(owner: SignedIn): Promise<{ mail: string[]; sms: string[] }>;
  }>;

/** An app whose log leads to messages, on a clock that only the test moves. */
export async function messageApp(
  options: Omit<TestAppOptions, 'now' | 'processes'> = {},
): Promise<MessageApp> {
  let time = Date.parse('2026-11-20T01:00:00.000Z');
  const app = await testApp({ ...options, processes: true, now: () => new Date(time) });
  return {
    ...app,
    pass(minutes) {
      time += minutes * 60_000;
    },
    async toldTo({ email, accountId }) {
      await app.settle();
      const { rows } = await app.deps.db.query(
        `select phone from ${accountTables.accounts} where account_id = $1`,
        [accountId],
      );
      const [mail, sms] = [await sentMail(app, email), await sentSms(app, rows[0].phone)];
      return { mail: mail.map(({ text }) => text), sms: sms.map(({ text }) => text) };
    },
  };
}

let names = 0;

/** A newsletter that was never sent. */
export function aNewsletter(overrides: Partial<Announcement> = {}): Announcement {
  names += 1;
  return {
    ...{ id: `news-${names}`, kind: 'newsletter', subject: 'News', body: 'Two things changed.' },
    ...overrides,
  };
}

/** A thousand a second, and no pause between. */
export function aPace(changes: Partial<Pace> = {}): Pace {
  return { perMinute: 60_000, signal: new AbortController().signal, onProgress() {}, ...changes };
}

/** What has deps: a `TestApp`, or an object made for it. */
type WithDeps = Readonly<{ deps: Deps; telemetry?: Telemetry | undefined }>;

function pageOf({ deps }: WithDeps): OutboxPage {
  return outboxPage(deps.db, deps.config.keys);
}

/** What delivers a test's messages to the embedded page, by the test's own clock. */
export function testDelivery(app: WithDeps, other: Partial<Delivery> = {}): Delivery {
  const { deps, telemetry } = app;
  const page = pageOf(app);
  const [mail, sms] = [outboxPageMail(page, deps.now), outboxPageSms(page, deps.now)];
  if (!telemetry) return { deps, mail, sms, kinds: messageKinds, ...other };
  return {
    ...{ deps, mail: telemetry.traceProvider(mail), sms: telemetry.traceProvider(sms) },
    ...{ kinds: messageKinds, aroundMessage: telemetry.aroundMessage<void>, ...other },
  };
}

/** Sends what is due by the test's clock; answers how many tries that took. */
export function deliver(app: WithDeps): Promise<number> {
  return deliverDue(testDelivery(app));
}

/** Sends what is due, then answers every mail that was ever sent (to one address), oldest first. */
export async function sentMail(app: WithDeps, to?: string): Promise<Mail[]> {
  await deliver(app);
  const stored = await pageOf(app).list(to);
  return stored.flatMap((message) => (message.channel === 'mail' ? message.mail : [])).toReversed();
}

/** Sends what is due, then answers every SMS that was ever sent (to one number in E.164), oldest first. */
export async function sentSms(app: WithDeps, to?: string): Promise<Sms[]> {
  await deliver(app);
  const stored = await pageOf(app).list(to);
  return stored.flatMap((message) => (message.channel === 'sms' ? message.sms : [])).toReversed();
}

/** The path and query of the first link of ours in a mail or SMS; throws where there is none. */
export function linkIn({ text }: Readonly<{ text: string }>): string {
  const url = URL.parse(/https?:\/\/\S+/.exec(text)?.[0] ?? '');
  if (!url) throw new Error('there is no link');
  return url.pathname + url.search;
}

/** The path of the page behind "Your details" in a receipt; throws where there is none. */
export function detailsPathIn({ text }: Readonly<{ text: string }>): string {
  const path = /Your details:\n\S+(\/your-details\/\S+)/.exec(text)?.[1];
  if (!path) throw new Error('there is no link to the details');
  return path;
}

export type Owner = Readonly<{ accountId: string; businessId: string; email: string }>;

/** Opens businesses for tests that sign in as none of their owners: without the work of a password's hash. */
export async function openOwners(
  deps: RegistrationDeps,
  amount: number,
  { newsletter = true }: Readonly<{ newsletter?: boolean }> = {},
): Promise<Owner[]> {
  const owners: Owner[] = [];
  for (let n = 0; n < amount; n += 1) {
    const business = aBusiness({ newsletter });
    const cause = { commandId: crypto.randomUUID(), actor: 'seed', correlation: 'test' };
    const { accountId, businessId } = await seedBusiness(
      deps,
      business,
      cause,
      async () => 'matches no password',
    );
    owners.push({ accountId, businessId, email: business.email });
  }
  return owners;
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

/** The path in a mail; empty without one. */
export const pathIn = (mail: Readonly<{ text: string }> | undefined) => (mail ? linkIn(mail) : '');
