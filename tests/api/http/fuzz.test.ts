import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorCodes } from '#api/http/error-codes.ts';
import { projections } from '#projections/registry.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import {
  developmentOperations,
  type Operation,
  operations,
  perform,
  recipes,
  type Spoiled,
  withId,
} from '#tests/support/operations/operations.ts';
import {
  type Call,
  openWorld,
  type Recipe,
  RIVAL_MARKER,
  type World,
} from '#tests/support/operations/world.ts';

/** What chance chose for one spoiled request. */
type Chosen = Readonly<{ at: number; text: string; value: unknown }>;
/** Tokens and secrets that are none for the operation at hand. */
type Proofs = Readonly<{ dead: string; chat: string; rid: string }>;

/** A call with something wrong; null where the call has no such part. */
type Mutation = (
  call: Call,
  chosen: Chosen,
  proofs: Proofs,
) => Readonly<{ call: Call; spoiled?: Spoiled }> | null;

/** In every hostile text: no answer may repeat it. */
const ECHO = 'echo-marker-6c1d';

const hostileTexts = [
  ...[`${ECHO}\0`, `${ECHO}\ud800`, `${ECHO}\u202e`, ECHO.repeat(700), '', ' ', '__proto__', 'constructor'],
  ...[`=cmd|' /C ${ECHO}'!A0`, `'; drop table ${ECHO}; --`, `<img src=x onerror=${ECHO}>`, `%${ECHO}_\\`],
  ...[`${ECHO}\r\nBcc: a@b.example`, `../../${ECHO}`, '{{7*7}}', '٣١٤', '１２３４'],
] as const;

const wrongValues = [
  ...[null, 0, -1, 1e308, 1.5, true, false, [], {}, [[[]]], { length: 1 }, [null], [`${ECHO}`]],
  ...[{ $gt: '' }, { toString: ECHO }, Array.from({ length: 60 }, (_, n) => n)],
] as const;

/** What only the server knows, as a body would carry it. */
const serverOwned = {
  ...{ id: ECHO, jobId: ECHO, accountId: ECHO, businessId: ECHO, tenantId: ECHO, plan: 'pro', role: 'admin' },
  ...{
    createdAt: '2020-01-01T00:00:00Z',
    isSeed: true,
    held: false,
    emailVerified: true,
    phoneVerified: true,
  },
  ...{ type: 'WorkOrder', complete: true, actor: ECHO, origin: 'seed' },
};

const pick = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(from.length, 1)];

/** The body with one field changed; null without fields. */
function withField({ json, form, ...call }: Call, at: number, value: unknown): Call | null {
  const fields = json ?? form;
  const name = pick(Object.keys(fields ?? {}), at);
  if (name === undefined) return null;
  if (form) return { ...call, form: { ...form, [name]: String(value) } };
  return { ...call, json: { ...json, [name]: value } };
}

function changed(call: Call | null) {
  return call && { call };
}

/** A text that no table can hold, in one field after another. */
function unstorable(field: number): Mutation {
  return (call, { at }) => changed(withField(call, field, at % 2 ? `${ECHO}\0` : `${ECHO}\ud800`));
}

const mutations: Readonly<Record<string, Mutation>> = {
  'an unstorable text in the first field': unstorable(0),
  'an unstorable text in the second field': unstorable(1),
  'an unstorable text in the third field': unstorable(2),
  'an unstorable text in the fourth field': unstorable(3),
  'a wrong type': (call, { at, value }) => (call.json ? changed(withField(call, at, value)) : null),
  'a hostile text': (call, { at, text }) => changed(withField(call, at, text)),
  'a field missing': ({ json, form, ...call }, { at }) => {
    const entries = Object.entries(json ?? form ?? {});
    if (entries.length === 0) return null;
    const rest = Object.fromEntries(entries.toSpliced(at % entries.length, 1));
    return { call: form ? { ...call, form: rest as Record<string, string> } : { ...call, json: rest } };
  },
  'a field of the server': (call, { at }) => {
    const [name, value] = pick(Object.entries(serverOwned), at) ?? ['id', ECHO];
    if (call.json) return { call: { ...call, json: { ...call.json, [name]: value } } };
    return call.form ? { call: { ...call, form: { ...call.form, [name]: String(value) } } } : null;
  },
  'no object at all': (call, { value, text }) =>
    call.json ? { call, spoiled: { body: JSON.stringify(typeof value === 'object' ? text : value) } } : null,
  'half a body': (call) =>
    call.json ? { call, spoiled: { body: JSON.stringify(call.json).slice(0, -1) } } : null,
  'bytes that are no text': (call) =>
    call.json ? { call, spoiled: { body: Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) } } : null,
  'a wrong content type': (call, { at }) => {
    const types = [
      'text/plain',
      'application/xml',
      'application/json; charset=utf-16',
      'x',
      'multipart/form-data',
    ];
    const type = pick(types, at) ?? 'x';
    return call.json || call.form ? { call, spoiled: { headers: { 'content-type': type } } } : null;
  },
  'a body where none belongs': (call, { text }) =>
    call.json || call.form || call.bytes
      ? null
      : {
          call,
          spoiled: { body: JSON.stringify({ a: text }), headers: { 'content-type': 'application/json' } },
        },
  'a parameter twice': (call, { at }) => {
    const name = pick(Object.keys(call.query ?? {}), at);
    const search = `&${name}=1`;
    return name === undefined ? { call, spoiled: { search: '?q=1&q=2' } } : { call, spoiled: { search } };
  },
  'a hostile parameter': (call, { at, text }) => {
    const name = pick(Object.keys(call.query ?? {}), at);
    if (name === undefined) return { call, spoiled: { search: `?__proto__=${ECHO}` } };
    return { call: { ...call, query: { ...call.query, [name]: text.replace('\ud800', '') } } };
  },
  'no proof': (call) => ({ call, spoiled: { withoutProof: true } }),
  'a dead session': (call, _, { dead }) => ({ call, spoiled: { token: dead } }),
  'the token of the assistant': (call, _, { chat }) => ({ call, spoiled: { token: chat } }),
  'another registration': (call, _, { rid }) => ({
    call,
    spoiled: { token: null, headers: { 'x-rid': rid } },
  }),
};

const seed = Number(process.env.FUZZ_SEED ?? 20_261_122);
/** Of all requests of an operation so many at least are accepted, else only its validator is tried. */
const LEAST_ACCEPTED = 0.3;
const all: readonly Operation[] = [...operations, ...developmentOperations];

const chosen: fc.Arbitrary<Chosen> = fc.record({
  at: fc.nat({ max: 1_000 }),
  text: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => ECHO + text) },
  ),
  value: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<unknown>(...wrongValues) },
    { weight: 1, arbitrary: fc.anything({ maxDepth: 2, withNullPrototype: false }) },
  ),
});

let world: World;
let proofs: Proofs;
beforeAll(async () => {
  world = await openWorld();
  const { token: dead } = await world.session(world.acme);
  await world.app.as({ authorization: `Bearer ${dead}` }).post('/api/authenticate/logout');
  const draft = await (recipes['GET /api/registration/tradies'] as Recipe).call(world);
  proofs = { dead, chat: await world.chatToken(world.acme), rid: draft.headers?.['x-rid'] ?? '' };
});
afterAll(() => world?.app.close());

test('what the fuzz is made of is the whole inventory', () => {
  expect(Object.keys(recipes).sort()).toEqual([...all].sort());
});

test.each(all)(`%s stands whatever is sent (FUZZ_SEED=${seed})`, async (operation) => {
  const recipe: Recipe = recipes[operation];
  const choices = fc.sample(chosen, { seed, numRuns: Object.keys(mutations).length });
  let ready: Call | null = null;
  const sent = { accepted: 0, all: 0 };
  const send = async (call: Call, spoiled: Spoiled | undefined, name: string) => {
    const answer = await attempt(operation, call, spoiled, `${operation}, ${name}`);
    sent.all += 1;
    if (answer.status < 400) sent.accepted += 1;
    recipe.after?.(world, call, answer);
    return answer;
  };
  for (const [index, [name, mutate]] of Object.entries(mutations).entries()) {
    ready ??= await recipe.call(world);
    const spoilt = mutate(ready, choices[index] as Chosen, proofs);
    if (!spoilt) continue;
    const answer = await send(spoilt.call, spoilt.spoiled, name);
    // What was accepted used up what it was made of.
    if (answer.status < 400) ready = null;
  }
  const foreign = await recipe.foreign?.(world);
  if (foreign) await send(withId(foreign, foreign.foreignId ?? ''), undefined, 'an id of the rival');
  while (sent.accepted < sent.all * LEAST_ACCEPTED || sent.accepted < 2) {
    const { status, text } = await send(await recipe.call(world), undefined, 'as it is meant');
    expect(status, `${operation} is accepted as it is meant: ${text.slice(0, 300)}`).toBeLessThan(400);
  }
  expect(sent.accepted / sent.all).toBeGreaterThanOrEqual(LEAST_ACCEPTED);
});

test('what was accepted is in every read model, and nothing of it was parked', async () => {
  await world.app.settle();
  const statuses = await world.app.deps.readSide.status();
  expect(statuses.map(({ name }) => name)).toEqual(projections.map(({ name }) => name));
  expect(statuses.filter(({ parked }) => parked > 0)).toEqual([]);
});

/** Sends a request and holds its answer against everything that holds for every answer. */
async function attempt(operation: Operation, call: Call, spoiled: Spoiled | undefined, what: string) {
  const { store } = world.app.deps;
  const head = await store.head();
  const answer = await perform(world, operation, call, spoiled);
  const shown = `${what}: ${answer.status} ${answer.text.slice(0, 200)}`;
  expect(answer.status, shown).toBeLessThan(500);
  expect(answer.headers.get('x-content-type-options'), shown).toBe('nosniff');
  expect(answer.headers.get('x-request-id'), shown).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get('content-security-policy') ?? answer.headers.get('content-type'), shown).not.toBe(
    '',
  );
  expect(answer.text, shown).not.toContain(RIVAL_MARKER);
  for (const password of passwordsIn(call)) expect(answer.text, shown).not.toContain(password);
  if (answer.status < 400) return answer;
  expectEnvelope(operation, answer, shown);
  const { savesOnConflict }: Recipe = recipes[operation];
  if (!(savesOnConflict && answer.status === 409)) expect(await store.head(), shown).toBe(head);
  return answer;
}

function expectEnvelope(operation: Operation, { headers, body, text }: Answer, shown: string) {
  if (!operation.includes(' /api/') || operation.startsWith('HEAD')) return;
  expect(body, shown).toMatchObject({
    ...{ status: 'error', message: expect.any(String), ref: expect.any(String) },
    code: expect.toSatisfy((code: string) => code in errorCodes),
  });
  expect(headers.get('cache-control'), shown).toBe('no-store');
  expect(headers.get('content-security-policy'), shown).toContain("default-src 'none'");
  expect(text, shown).not.toContain(ECHO);
  expect(text, shown).not.toMatch(/\bat \/|node_modules|select |insert |violates|syntax error/i);
}

/** What was sent as a password, where it is long enough to be told from other text. */
function passwordsIn({ json = {} }: Call): string[] {
  return Object.entries(json).flatMap(([name, value]) =>
    /password/i.test(name) && typeof value === 'string' && value.length > 8 ? [value] : [],
  );
}
