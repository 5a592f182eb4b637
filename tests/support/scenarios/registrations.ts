import { vi } from 'vitest';
import { passwordsOf } from '#api/accounts/passwords.ts';
import { sandboxEntities } from '#api/providers/business-register/sandbox-entities.ts';
import { openDraft, storeDraft, storePendingCredential } from '#api/registration/drafts.ts';
import { idsOf, newRid, registrationIdOf } from '#api/registration/load-registration.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { registrationDecider } from '#core/registration/decider.ts';
import type { RegistrationDraft } from '#core/registration/draft.ts';
import type { Region } from '#core/values/region.ts';
import type { SignedIn, TestApp } from '#tests/support/app/api.ts';
import type { Answer, Client } from '#tests/support/app/api-client.ts';
import { sentSms } from '#tests/support/app/messages.ts';
import { aTicket } from './job-requests.ts';

let count = 0;

/** What no other registrant of this process registers with. */
export type Registrant = Readonly<{
  region: Region;
  email: string;
  phone: string;
  password: string;
  bn: string;
  trade: string;
  specialty: string;
  tradingName: string;
  location: Readonly<{ lat: number; lng: number; radius: number; zoom: number }>;
}>;

const AU = {
  trade: 'plumbing',
  specialty: 'plumbing-blocked-drains',
  location: { lat: -42.88, lng: 147.33, radius: 20_000, zoom: 11 },
} as const;
const NZ = {
  trade: 'cleaning',
  specialty: 'cleaning-regular',
  location: { lat: -43.53, lng: 172.64, radius: 15_000, zoom: 10 },
} as const;

/** A plumber in Hobart, or a cleaner in Christchurch. */
export function aRegistrant(overrides: Partial<Registrant> = {}): Registrant {
  count += 1;
  const { region = 'au' } = overrides;
  const number = String(count).padStart(5, '0');
  const entity = sandboxEntities[region][0];
  return {
    region,
    email: `new${number}@registrant.example`,
    phone: region === 'au' ? `+61413${number}0` : `+6421${number}9`,
    password: 'Spanner#Wrench42',
    bn: entity?.bn ?? '',
    tradingName: `Trial ${number} ${region === 'au' ? 'Plumbing' : 'Cleaning'}`,
    ...(region === 'au' ? AU : NZ),
    ...overrides,
  };
}

/** Begins a registration; calls through the answer carry its secret. */
export async function begin(
  api: Pick<TestApp, 'as'>,
  plan: unknown = 'starter',
  headers: Record<string, string> = {},
): Promise<Client & { rid: string }> {
  const client = api.as(headers);
  const ticket = await aTicket(client, 'registration');
  const answer = await client.post('/api/registration/tradies', { plan }, { 'x-bot-check': ticket });
  if (answer.status !== 200) throw new Error(`the registration answered ${answer.status}`);
  const { rid } = answer.body;
  return { ...api.as({ ...headers, 'x-rid': rid }), rid };
}

/** Every answer but the mobile's code, as the wizard sends them page by page. */
export async function answerSteps(client: Client, who: Registrant): Promise<Answer[]> {
  const { region, trade, specialty, bn, tradingName, location, email, phone } = who;
  const answers = [
    await client.put('/api/registration/tradies', { step: 1, region }),
    await client.put('/api/registration/tradies', { step: 2, trades: [trade], specialties: [specialty] }),
    await client.put('/api/registration/tradies', {
      step: 3,
      entity: { bn, tradingName },
      user: { firstName: 'Robin', lastName: 'Fenwickton' },
    }),
    await client.put('/api/registration/tradies', { step: 4, location }),
    await client.post('/api/registration/email/verify', { email }),
    await client.post('/api/registration/phone/update', { phone }),
  ];
  const failed = answers.find(({ status }) => status !== 200);
  if (failed) throw new Error(`a step answered ${failed.status} ${failed.text}`);
  return answers;
}

/** The last page's answers. */
export function choosePassword(client: Client, { password }: Registrant): Promise<Answer> {
  return client.put('/api/registration/tradies', {
    step: 6,
    verify: { password, subscribe: false, terms: true },
  });
}

/** Asks for a code to the draft's mobile. */
export function sendCode(client: Client): Promise<Answer> {
  return client.post('/api/registration/sms/send');
}

/** The code that was sent last to a mobile, once so many were. */
export async function codeSentTo(api: TestApp, phone: string, count = 1): Promise<string> {
  // A sender that has it in its hands may not have stored it yet.
  return vi.waitFor(
    async () => {
      const sent = await sentSms(api, phone);
      const [, code] = /^(\d{6}) is your/.exec(sent.at(-1)?.text ?? '') ?? [];
      if (!code || sent.length < count) throw new Error('no code was sent');
      return code;
    },
    { timeout: 15_000, interval: 50 },
  );
}

/** A draft that only waits to be completed. */
export async function readyToComplete(
  api: TestApp,
  overrides: Partial<Registrant> = {},
  plan: unknown = 'starter',
): Promise<{ client: Client & { rid: string }; who: Registrant }> {
  const who = aRegistrant(overrides);
  const client = await begin(api, plan);
  await answerSteps(client, who);
  await sendCode(client);
  const code = await codeSentTo(api, who.phone);
  const answers = [
    await client.post('/api/registration/sms/verify', { code }),
    await client.put('/api/registration/tradies', { step: 5 }),
    await choosePassword(client, who),
  ];
  const failed = answers.find(({ status }) => status !== 200);
  if (failed) throw new Error(`a step answered ${failed.status} ${failed.text}`);
  return { client, who };
}

const device = {
  ...{ screenWidth: null, screenHeight: null, colourDepth: null, language: null, timezoneOffset: null },
} as const;

/** A draft that stands in the log and the tables as the wizard leaves it before its end: for tests that need many. */
export async function storedDraft(
  { deps, as }: Pick<TestApp, 'deps' | 'as'>,
  overrides: Partial<Registrant> = {},
  { headers = {}, phoneVerified = true }: { headers?: Record<string, string>; phoneVerified?: boolean } = {},
): Promise<{ client: Client & { rid: string }; who: Registrant; registrationId: string }> {
  const who = aRegistrant(overrides);
  const rid = newRid();
  const registrationId = registrationIdOf(rid);
  const now = deps.now();
  await inTransaction(deps.db, (db) => openDraft(db, { registrationId, sourceHash: 'test', device }, now));
  const hash = await passwordsOf(deps.config).hash('Spanner#Wrench42');
  const expiresAt = new Date(now.getTime() + 3_600_000);
  await storePendingCredential(deps.db, registrationId, { hash, expiresAt }, now);
  const draft = draftOf(who, phoneVerified);
  await storeDraft(deps, { registrationId, revision: 0 }, draft);
  const at = now.toISOString();
  const commands = [
    { type: 'StartRegistration', at, data: { registrationId, plan: 'plus' } },
    { type: 'RecordMilestones', at, data: { registrationId, draft } },
  ] as const;
  await handleCommand(
    deps.store,
    batchDecider(registrationDecider),
    streamName('registration', registrationId),
    { type: 'Batch', at, data: { commands } },
    { commandId: deps.newId(), actor: idsOf(registrationId).actor, correlation: 'test' },
  );
  return { client: { ...as({ ...headers, 'x-rid': rid }), rid }, who, registrationId };
}

function draftOf(who: Registrant, phoneVerified: boolean): RegistrationDraft {
  const { region, trade, specialty, bn, tradingName, location, email, phone } = who;
  const found = { name: `${tradingName} Pty Ltd`, registered: true, status: 'Active', postcode: null };
  return {
    step: 0,
    answers: {
      ...{ region, trades: [trade], specialties: [specialty] },
      entity: { bn, country: region, ...found },
      ...{ tradingName, firstName: 'Robin', lastName: 'Fenwickton', location },
      ...{ email, phone, showPhone: false, subscribe: true, terms: true },
    },
    verifiedEmail: email,
    verifiedPhone: phoneVerified ? phone : null,
    passwordSet: true,
  };
}

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
