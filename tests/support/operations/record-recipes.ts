import { expect, vi } from 'vitest';
import { type ProofOptions, proveOnce, startProof } from '#api/proof/follow.ts';
import { readProofStatus } from '#api/proof/read.ts';
import { statementKeyOf } from '#api/proof/statements.ts';
import { macKeyOf } from '#core/event-store/chain.ts';
import { type JobRecord, readRecord } from '#core/proof/record.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import type { SignedIn, TestApp } from '#tests/support/app/api.ts';
import { aTicket } from '#tests/support/scenarios/job-requests.ts';
import { aRegistrant, codeSentTo, storedDraft } from '#tests/support/scenarios/registrations.ts';
import type { Call, Recipe, World } from './world.ts';

/** What the process that signs is started with. */
export function proofOptions({ deps, databaseUrl }: TestApp): ProofOptions {
  const { db: pool, config, now } = deps;
  const { proof, publicOrigin } = config;
  if (!proof) throw new Error('this process does not sign');
  return {
    ...{ log: deps, pool, connectionString: databaseUrl, keys: proof, now },
    host: new URL(publicOrigin).host,
    macKey: macKeyOf(config.keys.data),
    statementKey: statementKeyOf(config.keys.data),
    outlet: { add: async () => {}, newest: async () => null },
  };
}

/** Signs the log as the worker does, and answers of how many leaves it has. */
export async function signLog(app: TestApp): Promise<number> {
  const signedSize = async () => {
    await proveOnce(proofOptions(app), silentLog, new AbortController().signal);
    return (await readProofStatus(app.deps.db)).signed?.size;
  };
  // A turn that meets the process that signs leaves the log to it.
  return vi.waitUntil(signedSize, { timeout: 15_000 });
}

const signing = new WeakSet<TestApp>();

/** Lets the process that signs run until the app is closed. */
export function signForRecords(app: TestApp): void {
  if (signing.has(app)) return;
  signing.add(app);
  const proof = startProof(proofOptions(app));
  app.onClose(() => proof.stop());
}

/** Has a record of a job made for its owner, or as `wanted`, and answers it as it came and as it is read. */
export async function issueRecord(
  owner: SignedIn,
  jobId: string,
  wanted: object = {},
): Promise<{ text: string; record: JobRecord }> {
  const answer = await owner.post(`/api/jobs/${jobId}/record`, { audience: 'owner', ...wanted });
  expect(answer).toMatchObject({ status: 200 });
  const text: string = answer.body.record;
  return { text, record: readRecord(text) as JobRecord };
}

export const recordRecipes = {
  'GET /api/checkpoints': { access: 'open', call: () => ({}) },
  'GET /api/checkpoints/key': { access: 'open', call: () => ({}) },
  'GET /api/checkpoints/latest': {
    access: 'open',
    call: async ({ app }) => {
      await signLog(app);
      return {};
    },
  },
  'GET /api/checkpoints/:size': {
    access: 'open',
    names: 'public',
    call: async ({ app }) => ({ params: { size: String(await signLog(app)) } }),
  },
  'GET /api/checkpoints/consistency': {
    access: 'open',
    call: async ({ app }) => ({ query: { from: '1', to: String(await signLog(app)) } }),
  },
} as const satisfies Partial<Record<string, Recipe>>;

/** An operation of one registration, with the secret of its own. */
const ofDraft = (callOf: (world: World) => Call = () => ({}), phoneVerified = true) =>
  ({
    access: 'other',
    call: async (world: World) => {
      const { client } = await storedDraft(world.app, {}, { phoneVerified });
      return { ...callOf(world), headers: { 'x-rid': client.rid } };
    },
  }) as const satisfies Recipe;

const { bn } = aRegistrant();

/** What the address book of a registration answers first for a street. */
async function anAddress({ app }: World, headers: Record<string, string>): Promise<string> {
  const { addresses } = (await app.get('/api/registration/address?q=12%20smith%20st%20fitzroy', headers))
    .body;
  return addresses[0].id;
}

export const registrationRecipes = {
  'POST /api/registration/tradies': {
    access: 'open',
    call: async ({ app }) => ({
      headers: { 'x-bot-check': await aTicket(app, 'registration') },
      json: { plan: 'plus' },
    }),
  },
  'GET /api/registration/tradies': ofDraft(),
  'PUT /api/registration/tradies': ofDraft(() => ({
    json: { step: 3, region: 'au', user: { firstName: 'Robin', lastName: 'Fenwickton' }, entity: { bn } },
  })),
  'POST /api/registration': {
    ...ofDraft(() => ({ json: { verify: { subscribe: true, terms: true } } })),
    savesOnConflict: true,
  },
  'GET /api/registration/trades': { access: 'open', call: () => ({}) },
  'GET /api/registration/bn': ofDraft(() => ({ query: { q: 'plumbing', r: 'au' } })),
  'POST /api/registration/bn': ofDraft(() => ({ json: { bn, r: 'au' } })),
  'GET /api/registration/postcode': ofDraft(() => ({ query: { postcode: '3057', region: 'au' } })),
  'GET /api/registration/address': ofDraft(() => ({ query: { q: '12 smith st fitz' } })),
  'GET /api/registration/address/:id': {
    access: 'other',
    names: 'public',
    call: async (world) => {
      const { client } = await storedDraft(world.app);
      const headers = { 'x-rid': client.rid };
      return { headers, params: { id: encodeURIComponent(await anAddress(world, headers)) } };
    },
  },
  'POST /api/registration/email/verify': ofDraft(() => ({ json: { email: aRegistrant().email } }), false),
  'POST /api/registration/phone/update': ofDraft(() => ({ json: { phone: aRegistrant().phone } }), false),
  'POST /api/registration/sms/send': ofDraft(undefined, false),
  'POST /api/registration/sms/verify': {
    access: 'other',
    call: async (world) => {
      const { client, who } = await storedDraft(world.app, {}, { phoneVerified: false });
      const { status } = await client.post('/api/registration/sms/send');
      if (status !== 200) throw new Error(`no code was sent: ${status}`);
      return { headers: { 'x-rid': client.rid }, json: { code: await codeSentTo(world.app, who.phone) } };
    },
  },
  'POST /api/registration/demo': {
    access: 'open',
    call: async ({ app }) => ({
      headers: { 'x-bot-check': await aTicket(app, 'demo') },
      json: {
        name: 'Mere Ngata',
        businessName: 'Ngata Electrical',
        phone: '021 234 567',
        email: 'mere@ngata.example',
        reachTime: 'lunch',
      },
    }),
  },
} as const satisfies Record<string, Recipe>;
