import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '#api/proof/tree.ts';
import { fromBase64 } from '#core/crypto/base64.ts';
import { verifyConsistency } from '#core/crypto/merkle.ts';
import { openNote, parseVkey } from '#core/crypto/note.ts';
import { readCheckpoint } from '#core/proof/checkpoint.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { signLog } from '#tests/support/operations/record-recipes.ts';

let app: TestApp;
let owner: SignedIn;
let now = new Date('2026-11-23T00:00:00Z');
let older: number;
let newer: number;

beforeAll(async () => {
  app = await testApp({
    now: () => now,
    env: { CHECKPOINTS: 'public', RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' },
  });
  owner = await app.signIn();
  older = await signLog(app);
  await owner.put('/api/settings/notifications', { sms: false }, {});
  await app.signIn();
  now = new Date(now.getTime() + 120_000);
  newer = await signLog(app);
});
afterAll(() => app?.close());

/** A stranger, who is counted by an address of their own. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  app.get(`/api/checkpoints${path}`, headers);

test('a stranger reads the newest checkpoint, and finds it signed by the published key', async () => {
  const { status, body, headers } = await ask('/latest');
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('public, max-age=5');
  const { keys } = (await ask('/key')).body;
  expect(keys.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['cosignature', 'signature']);
  const verifiers = keys.map(({ vkey }: { vkey: string }) => parseVkey(vkey));
  const opened = openNote(body.checkpoint.note, verifiers);
  expect(opened?.signatures).toHaveLength(2);
  expect(readCheckpoint(opened?.text ?? '')).toEqual({
    origin: body.checkpoint.origin,
    size: newer,
    root: fromBase64(body.checkpoint.root),
  });
  expect(body.checkpoint.signedAt).toBe(now.toISOString());
});

test('the older log is shown to be in the newer one', async () => {
  expect(older).toBeGreaterThan(0);
  expect(newer).toBeGreaterThan(older);
  const headOf = async (size: number) => {
    const { checkpoint } = (await ask(`/${size}`)).body;
    return { size, root: fromBase64(checkpoint.root) ?? new Uint8Array() };
  };
  const { body, headers } = await ask(`/consistency?from=${older}&to=${newer}`);
  const proof = body.proof.map((hash: string) => fromBase64(hash));
  expect(verifyConsistency(sha256, await headOf(older), await headOf(newer), proof)).toBe(true);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('the list has the newest first', async () => {
  const { checkpoints } = (await ask('')).body;
  expect(checkpoints.map(({ size }: { size: number }) => size)).toEqual([newer, older]);
});

test('one that is not stored any more is refused with the sizes that are stored near it', async () => {
  const { status, body } = await ask(`/${newer - 1}`);
  expect(status).toBe(404);
  expect(body.message).toMatch(/^No checkpoint of this size is stored\. Older ones are thinned out/);
  expect(body.message).toContain(`The nearest are of ${older} and ${newer}.`);
  expect((await ask(`/${older - 1}`)).body.message).toContain(`The first is of ${older}.`);
  expect((await ask('/999999')).body.message).toBe('Not found');
});

describe('what there is not', () => {
  test.each([
    ['/999999', 404],
    ['/0', 404],
    ['/x', 404],
    ['/consistency?from=1&to=999999', 404],
    ['/consistency?from=2&to=1', 400],
    ['/consistency?from=0&to=1', 422],
    ['/consistency?from=1', 422],
  ])('%s', async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });
});

test('after sixty questions in a minute a client waits', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 70; n += 1) statuses.push((await ask('/key')).status);
  expect(statuses.at(-1)).toBe(429);
  expect(statuses[0]).toBe(200);
});

test('so does a client that roams in its /64, and no other one with it', async () => {
  const from = (address: string) => ask('/latest', { 'x-forwarded-for': address });
  const statuses: number[] = [];
  for (let n = 0; n < 61; n += 1) statuses.push((await from(`2001:db8:0:42::${n.toString(16)}`)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect((await from('2001:db8:0:43::1')).status).toBe(200);
});

test.each(['', '/latest', '/key'])('the answer of %s may be stored for five seconds', async (path) => {
  const { headers } = await ask(path, { 'x-forwarded-for': '203.0.113.77' });
  expect(headers.get('cache-control')).toBe('public, max-age=5');
});

test('with CHECKPOINTS=members only those who are signed in are answered', async () => {
  const closed = await testApp({ env: { CHECKPOINTS: 'members' } });
  const member = await closed.signIn();
  for (const path of ['', '/latest', '/key', '/1', '/consistency?from=1&to=1']) {
    expect((await closed.get(`/api/checkpoints${path}`)).status).toBe(403);
  }
  const answer = await member.get('/api/checkpoints');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, max-age=5']);
  await closed.close();
});
