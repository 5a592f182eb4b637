import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#tests/support/app/api-client.ts';
import {
  developmentOperations,
  type Operation,
  operations,
  perform,
  recipes,
  withId,
} from '#tests/support/operations/operations.ts';
import {
  type Call,
  openWorld,
  type Recipe,
  RIVAL_MARKER,
  UNKNOWN,
  type World,
} from '#tests/support/operations/world.ts';

/** Ids that are never given out: too short, too long, of other letters, no text at all. */
const MALFORMED = [
  ...['x', '1', "'--", '0198c0de', `${UNKNOWN}0`, UNKNOWN.toUpperCase().replace('0', 'O')],
  ...['%00', '%ff', 'x'.repeat(2_000), encodeURIComponent('Ō'.repeat(40))],
];

const all: readonly Operation[] = [...operations, ...developmentOperations];
const recipeOf = (operation: Operation): Recipe => recipes[operation];
const withIds = all.filter((operation) => operation.includes(':'));
const naming = (...kinds: readonly Recipe['names'][]) =>
  withIds.filter((operation) => kinds.includes(recipeOf(operation).names));
const withForeignIds = all.filter((operation) => recipeOf(operation).foreign);
const ofSessions = all.filter((operation) => recipeOf(operation).access === 'session');

let world: World;
let dead: string;
let chat: string;
let rid: string;
beforeAll(async () => {
  world = await openWorld();
  const ended = await world.session(world.acme);
  dead = ended.token;
  await world.app.as({ authorization: `Bearer ${dead}` }).post('/api/authenticate/logout');
  chat = await world.chatToken(world.acme);
  const draft = await recipeOf('GET /api/registration/tradies').call(world);
  rid = draft.headers?.['x-rid'] ?? '';
});
afterAll(() => world?.app.close());

/** An answer as it is compared: without what is different for each request. */
const compared = ({ status, text, body }: Answer) => ({
  status,
  body: body ? { ...body, ref: '' } : text,
});
/** An id that could be one and is none, as long as another. */
const unknownLike = (id: string) => (id.length === UNKNOWN.length ? UNKNOWN : 'A'.repeat(id.length));

/** Sends what must change nothing, and nothing of the rival may come back. */
async function tried(operation: Operation, call: Call, spoiled?: Parameters<typeof perform>[3]) {
  await world.app.settle();
  const head = await world.app.deps.store.head();
  const answer = await perform(world, operation, call, spoiled);
  expect(answer.text, operation).not.toContain(RIVAL_MARKER);
  expect(await world.app.deps.store.head(), `${operation} appends nothing`).toBe(head);
  return answer;
}

describe('the matrix is whole', () => {
  test('every operation of the inventory is in it, and none besides', () => {
    expect(Object.keys(recipes).sort()).toEqual([...all].sort());
  });

  test('every operation with an id says what the id names, and has one of the rival where it is a business’s', () => {
    expect(withIds.filter((operation) => !recipeOf(operation).names)).toEqual([]);
    expect(naming('owned').filter((operation) => !recipeOf(operation).foreign)).toEqual([]);
    expect(naming('owned').filter((operation) => recipeOf(operation).access !== 'session')).toEqual([]);
  });
});

describe('what belongs to another business cannot be told from what never was', () => {
  test.each(withForeignIds)('%s', async (operation) => {
    const call = await recipeOf(operation).foreign?.(world);
    if (!call?.foreignId) throw new Error('no id of the rival');
    const foreign = await tried(operation, call);
    // A ticket is good for one try.
    const again = await recipeOf(operation).foreign?.(world);
    const unknown = withId(
      { ...call, ...(again ? { headers: again.headers ?? {} } : {}) },
      unknownLike(call.foreignId),
    );
    expect(compared(await tried(operation, unknown))).toEqual(compared(foreign));
    if (naming('owned', 'secret').includes(operation)) {
      expect(compared(foreign)).toEqual({
        status: 404,
        body: { status: 'error', code: 'not-found', message: 'Not found', ref: '' },
      });
    }
  });
});

describe('an id that is none is an unknown one', () => {
  test.each(withIds)('%s', async (operation) => {
    const call = await recipeOf(operation).call(world);
    const names = Object.keys(call.params ?? {});
    // A page with buttons leads back to itself, and says there that the link opens nothing.
    const expected = [
      400,
      404,
      ...(/^POST \/(answer|not-needed|welcome|your-details)/.test(operation) ? [303] : []),
    ];
    for (const id of MALFORMED) {
      const params = Object.fromEntries(names.map((name) => [name, id]));
      const { status, body } = await tried(operation, { ...call, params });
      expect(expected, `${operation} ${id}`).toContain(status);
      if (body) expect(body).toMatchObject({ status: 'error' });
    }
  });

  test.each(withIds)('%s, with a way up instead', async (operation) => {
    const call = await recipeOf(operation).call(world);
    for (const id of ['..', '%2e%2e', '..%2f..%2fapi', '%2e%2e%5c']) {
      const params = Object.fromEntries(Object.keys(call.params ?? {}).map((name) => [name, id]));
      // Two dots name another route, which answers for itself.
      const { status } = await tried(operation, { ...call, params }, { token: null });
      expect(status, `${operation} ${id}`).toBeLessThan(500);
    }
  });
});

describe('nothing of a business opens without a living session', () => {
  test.each(ofSessions)('%s', async (operation) => {
    const recipe = recipeOf(operation);
    const call = await (recipe.foreign ?? recipe.call)(world);
    const own = { ...call, headers: {} };
    const stranger = await tried(operation, own, { token: null });
    expect(compared(stranger)).toEqual({
      status: 403,
      body: { status: 'error', code: 'session-timed-out', message: 'Session timed out', ref: '' },
    });
    const others = [{ token: dead }, { token: chat }, { token: 'x'.repeat(60) }];
    for (const spoiled of [...others, { token: null, headers: { 'x-rid': rid } }]) {
      expect(compared(await tried(operation, own, spoiled))).toEqual(compared(stranger));
    }
  });

  test('nor what asks for another proof', async () => {
    const guarded = all.filter((operation) => recipeOf(operation).access === 'other');
    for (const operation of guarded) {
      const call = await recipeOf(operation).call(world);
      for (const spoiled of [{ withoutProof: true }, { withoutProof: true, token: dead }]) {
        const { status } = await tried(operation, call, spoiled);
        expect([401, 403, 404], `${operation} ${JSON.stringify(spoiled)}`).toContain(status);
      }
    }
  });
});
