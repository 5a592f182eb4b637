import { vi } from 'vitest';
import { sandboxEntities } from '#api/providers/business-register/sandbox-entities.ts';
import type { Region } from '#core/values/region.ts';
import type { TestApp } from './api.ts';
import type { Answer, Client } from './api-client.ts';
import { aTicket } from './job-requests.ts';
import { sentSms } from './outbox.ts';

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

/** The code that was sent last to a mobile. */
export async function codeSentTo(api: TestApp, phone: string): Promise<string> {
  // A sender that has it in its hands may not have stored it yet.
  return vi.waitFor(
    async () => {
      const sent = await sentSms(api, phone);
      const [, code] = /^(\d{6}) is your/.exec(sent.at(-1)?.text ?? '') ?? [];
      if (!code) throw new Error('no code was sent');
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
  await client.post('/api/registration/sms/send');
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
