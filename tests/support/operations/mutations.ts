import type { Spoiled } from './perform.ts';
import type { Call } from './recipe.ts';

/** What chance chose for one spoiled request. */
export type Chosen = Readonly<{ at: number; text: string; value: unknown }>;
/** Tokens and secrets that are none for the operation at hand. */
export type Proofs = Readonly<{ dead: string; chat: string; rid: string }>;

/** A call with something wrong; null where the call has no such part. */
export type Mutation = (
  call: Call,
  chosen: Chosen,
  proofs: Proofs,
) => Readonly<{ call: Call; spoiled?: Spoiled }> | null;

/** In every hostile text: no answer may repeat it. */
export const ECHO = 'echo-marker-6c1d';

export const hostileTexts = [
  ...[`${ECHO}\0`, `${ECHO}\ud800`, `${ECHO}\u202e`, ECHO.repeat(700), '', ' ', '__proto__', 'constructor'],
  ...[`=cmd|' /C ${ECHO}'!A0`, `'; drop table ${ECHO}; --`, `<img src=x onerror=${ECHO}>`, `%${ECHO}_\\`],
  ...[`${ECHO}\r\nBcc: a@b.example`, `../../${ECHO}`, '{{7*7}}', '٣١٤', '１２３４'],
] as const;

export const wrongValues = [
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

export const mutations: Readonly<Record<string, Mutation>> = {
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
