import '#core/kernel/schema-settings.ts';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { createLogger } from '#api/http/log.ts';
import { type CustomerLinkKind, storeLink } from '#api/intake/answer-links.ts';
import { sandboxEntities } from '#api/providers/business-register/sandbox-entities.ts';
import { openDatabase } from '#api/runtime/database.ts';
import { configure } from '#api/runtime/environment.ts';
import { openEventStore } from '#api/runtime/event-log.ts';
import { type SeededBusiness, seedBusiness } from '#api/seed/seed-business.ts';
import { accountDecider } from '#core/account/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type Stage, stepOf } from '#core/values/registration-steps.ts';
import { migrate } from '#migrations/run.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { registrationKey } from '#site/lib/session/session-storage.ts';
import { payloadOf, solve } from '#tests/support/app/api-client.ts';
import { aBusiness } from '#tests/support/app/fixtures.ts';
import { messageTo } from './browser.ts';

export type Account = Readonly<
  Pick<SeededBusiness, 'email' | 'phone' | 'password' | 'slug' | 'tradingName'> & {
    accountId: string;
    /** The path of a customer's link that the business sent, and that has ended since. */
    endedLink(kind: CustomerLinkKind): Promise<string>;
  }
>;
type Register = (
  wanted?: Partial<SeededBusiness>,
  /** `isNew` leaves it where a registration ends: at the welcome screen. */
  options?: Readonly<{ isNew?: boolean }>,
) => Promise<Account>;

/**
 * The browser tests' one `test`: with another, whose fixtures of a worker differ, Playwright would start workers and browsers of
 * their own for it. `account` is one that no other test of the run has, past its welcome; `register` opens more of them, in the
 * product under test.
 */
export const test = base.extend<{ account: Account }, { register: Register }>({
  register: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      await using opened = new AsyncDisposableStack();
      const { UTE_URL, UTE_DATA_DIR } = process.env;
      const config = configure({
        ...{ ...process.env, PUBLIC_ORIGIN: UTE_URL, DATA_DIR: UTE_DATA_DIR },
        // As the product under test is set: hashed at full cost, each login would be checked at full cost too.
        PASSWORD_MEMORY: '64',
      });
      const database = await openDatabase(config, createLogger('error'), migrate);
      opened.defer(() => database.close());
      const store = await openEventStore(config, database);
      opened.defer(() => store.close());
      const { log: pool, url: connectionString } = database;
      const readSide = createReadSide({ pool, connectionString, store });
      opened.defer(() => readSide.close());
      const db = database.requests;
      const subjectKeys = createSubjectKeys({ pool: db, dataKey: config.keys.data });
      const clock = { now: () => new Date(), newId: () => Bun.randomUUIDv7() };
      const deps = { config, db, store, subjectKeys, ...clock };
      await use(async (wanted, { isNew = false } = {}) => {
        const registration = aBusiness({ ...nobodysContact(wanted?.region), ...wanted });
        const cause = { actor: 'seed', correlation: 'test' };
        const registered = await seedBusiness(deps, registration, { ...cause, commandId: randomUUID() });
        const { accountId, businessId } = registered;
        const { position } = isNew
          ? registered
          : await handleCommand(
              store,
              accountDecider,
              streamName('account', accountId),
              { type: 'FinishOnboarding', at: new Date().toISOString(), data: { accountId } },
              { ...cause, commandId: randomUUID() },
            );
        await readSide.waitFor(['accounts', 'public-form'], position, 20_000);
        const endedLink = async (kind: CustomerLinkKind) => {
          const token = randomBytes(32).toString('base64url');
          const target = { kind, jobId: randomUUID(), businessId, accountId: null };
          const inItsYearAfter = new Date(Date.now() - 380 * 24 * 60 * 60_000);
          await storeLink(db, token, target, inItsYearAfter);
          return `/${kind === 'privacy' ? 'your-details' : kind}/${token}`;
        };
        return { ...registration, accountId, endedLink };
      });
    },
    { scope: 'worker' },
  ],
  account: async ({ register }, use) => use(await register()),
  page: async ({ page }, use, test) => {
    await use(page);
    // A request that a handler still holds back ends with its page: what the handler meets then would be the next test's.
    for (const routed of [...page.context().pages(), page.context()])
      await routed.unrouteAll({ behavior: 'ignoreErrors' });
    if (test.status === test.expectedStatus) return;
    // The runner's own setting takes a picture of every test, to keep those of failed ones: a tenth of the suite's processor time.
    for (const [index, open] of page.context().pages().entries()) {
      const path = test.outputPath(`failed-${index + 1}.png`);
      // A page that no longer answers has no picture, and the test has failed for a reason of its own.
      const isTaken = await open.screenshot({ path, timeout: 5_000 }).then(
        () => true,
        () => false,
      );
      if (isTaken) test.attachments.push({ name: 'screenshot', path, contentType: 'image/png' });
    }
  },
});

/** What no two businesses may share, whichever of the workers opens them. */
function nobodysContact(region: SeededBusiness['region'] = 'au') {
  const unique = randomUUID().slice(0, 8);
  const digits = (amount: number) => String(randomInt(10 ** amount)).padStart(amount, '0');
  const phone = region === 'nz' ? `+6421${digits(7)}` : `+614${digits(8)}`;
  return { email: `owner.${unique}@acme.example`, phone, slug: `acme-${unique}` };
}

/** What a person does on a phone: each tap, and each field typed in one go, counts once. */
export type Hands = Readonly<{
  tap(target: Locator): Promise<void>;
  /** Into the field that has the focus, or that a tap brings it to. */
  type(target: Locator, text: string): Promise<void>;
  count(): number;
}>;

export function handsOf(): Hands {
  let count = 0;
  return {
    async tap(target) {
      await target.tap();
      count += 1;
    },
    async type(target, text) {
      if (!(await target.evaluate((element) => element === document.activeElement))) {
        await target.tap();
        count += 1;
      }
      await target.pressSequentially(text);
      count += 1;
    },
    count: () => count,
  };
}

/** An applicant that no other test of the run uses. */
export function aTradie(region: 'au' | 'nz') {
  const unique = crypto.randomUUID();
  const digits = String(Number.parseInt(unique.slice(0, 6), 16) % 1_000_000).padStart(6, '0');
  return {
    email: `tradie.${unique.slice(0, 8)}@example.com`,
    phone: region === 'au' ? `0490${digits}` : `0212${digits}`,
    e164: region === 'au' ? `+61490${digits}` : `+64212${digits}`,
    password: `Tray-and-${unique.slice(0, 8)}-Aa1`,
  };
}
export type Tradie = ReturnType<typeof aTradie>;

export const nextButton = (page: Page): Locator => page.getByRole('button', { name: 'Next' });
export const backButton = (page: Page): Locator => page.getByRole('button', { name: 'Back', exact: true });
export const codeField = (page: Page): Locator => page.getByLabel('Code', { exact: true });
export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Opens the wizard as a new applicant and waits until the bot check is solved and it shows. */
export async function openWizard(page: Page, query = ''): Promise<void> {
  await page.goto(`/register${query}`);
  await expect(heading(page, 'Where are you based?')).toBeVisible();
}

/** The newest code that was sent to a mobile. */
export async function codeSentTo(page: Page, e164: string): Promise<string> {
  const { text } = await messageTo(page, e164, 'is your Ute code');
  return /^(\d{6}) /.exec(text)?.[1] ?? '';
}

type Answer = Readonly<Record<string, unknown>>;

const headings: Record<Stage, string> = {
  region: 'Where are you based?',
  trades: "What's your trade?",
  bn: 'Your business',
  coverage: 'What area do you cover?',
  mobile: 'Contact details',
  password: 'Create a password',
  done: 'Set up your Starter plan',
};

/** Begins a registration through the API, answers every step before `stage`, and opens the wizard there; the last one by Next. */
export async function openWizardAt(page: Page, stage: Stage, tradie: Tradie): Promise<void> {
  const step = stepOf(stage) ?? 0;
  const ask = asker(page);
  const { challenge } = await ask('GET', '/bot-check/challenge?scope=registration');
  const payload = payloadOf(challenge as never, await solve(challenge as never));
  const { ticket } = await ask('POST', '/bot-check/verify', { scope: 'registration', payload });
  const { rid } = await ask('POST', '/registration/tradies', {}, { 'x-bot-check': String(ticket) });
  const withRid = { 'x-rid': String(rid) };
  if (step > (stepOf('mobile') ?? 0)) {
    await ask('PUT', '/registration/tradies', { step: 0, region: 'au' }, withRid);
    await ask('POST', '/registration/email/verify', { email: tradie.email }, withRid);
    await ask('POST', '/registration/phone/update', { phone: tradie.phone }, withRid);
    await ask('POST', '/registration/sms/send', undefined, withRid);
    const code = await codeSentTo(page, tradie.e164);
    await ask('POST', '/registration/sms/verify', { code }, withRid);
  }
  await ask('PUT', '/registration/tradies', answersBefore(step, tradie), withRid);
  const { origin } = new URL(process.env.UTE_URL ?? '');
  const stored = JSON.stringify({ rid, completionKey: crypto.randomUUID() });
  await page.context().setStorageState({
    cookies: [],
    origins: [{ origin, localStorage: [{ name: registrationKey, value: stored }] }],
  });
  await page.goto('/register/tradie');
  if (stage === 'done') {
    await expect(heading(page, headings.password)).toBeVisible();
    await nextButton(page).click();
  }
  await expect(heading(page, headings[stage])).toBeVisible();
}

function answersBefore(step: number, { password }: Tradie): Answer {
  const bn = sandboxEntities.au.find(({ name }) => name === 'Mount Wellington Plumbing Pty Ltd')?.bn;
  const parts: Answer[] = [
    { region: 'au' },
    { trades: ['plumbing'], specialties: ['plumbing-blocked-drains'] },
    {
      entity: { bn, tradingName: 'Mount Wellington Plumbing' },
      user: { firstName: 'Ivy', lastName: 'Sutherland' },
      location: { lat: -42.88, lng: 147.33, radius: 15_000, zoom: 10 },
    },
    {},
    {},
    { verify: { password, terms: true } },
  ];
  return Object.assign({ step }, ...parts.slice(0, step));
}

function asker(page: Page) {
  return async (method: string, path: string, data?: unknown, headers = {}): Promise<Answer> => {
    const options = data === undefined ? { method, headers } : { method, headers, data };
    const answer = await page.request.fetch(`/api${path}`, options);
    expect(answer.ok(), `${method} ${path} answers ${answer.status()}: ${await answer.text()}`).toBe(true);
    return answer.json();
  };
}
