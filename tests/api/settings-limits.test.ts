import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChores } from '#api/processes/chores.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { erasing } from '#tests/support/scenarios/erasing.ts';
import { dataUrl, png } from '#tests/support/scenarios/files.ts';

let api: TestApp;
let acme: SignedIn;
let rival: SignedIn;
const lines: string[] = [];
beforeAll(async () => {
  api = await testApp({ env: { RATE_LIMITS: 'on' }, log: (line) => lines.push(line) });
  [acme, rival] = [await api.signIn(), await api.signIn()];
});
afterAll(() => api?.close());

describe.each([
  ['checks of an address', 120, (who: SignedIn) => who.get('/api/settings/branding/slug?q=free-address')],
  ['changes of the face', 30, (who: SignedIn) => who.put('/api/settings/branding', {})],
  ['changes of the profile', 60, (who: SignedIn) => who.put('/api/settings/profile', {})],
] as const)('%s', (_, most, call) => {
  test(`are ${most} in ten minutes, of each for itself`, async () => {
    const answers = [];
    for (let n = 0; n < most; n += 1) answers.push((await call(acme)).status);
    expect(new Set(answers)).toEqual(new Set([200]));
    const refused = await call(acme);
    expect(refused).toMatchObject({ status: 429, body: { status: 'error' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(rival)).status).toBe(200);
  });
});

/** A body that comes in pieces and does not say how long it is. */
function dripping(
  piece: Uint8Array<ArrayBuffer>,
  pieces: number,
): { body: ReadableStream; taken: () => number } {
  let taken = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (taken === pieces) return controller.close();
      taken += 1;
      controller.enqueue(piece);
    },
  });
  return { body, taken: () => taken };
}

async function send(path: string, body: ReadableStream | string) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${rival.token}` };
  const init = { method: 'PUT', body, headers, duplex: 'half' } as RequestInit;
  const answer = await api.app.handle(new Request(`http://localhost${path}`, init));
  return { status: answer.status, body: await answer.json() };
}

describe('a body', () => {
  const MIB = 1024 * 1024;

  test('that does not say its length is read no further than its limit', async () => {
    const { body, taken } = dripping(new Uint8Array(MIB), 100);
    const answer = await send('/api/settings/branding', body);
    expect(answer).toMatchObject({
      status: 413,
      body: { status: 'error', message: 'Use an image of at most 2 MB' },
    });
    expect(taken()).toBeLessThan(6);
  });

  test('of any other call has 64 KiB, a logo of 2 MiB fits', async () => {
    const intro = 'x'.repeat(70_000);
    expect((await send('/api/settings/intro', JSON.stringify({ intro }))).status).toBe(413);
    const whole = new Uint8Array(2 * MIB);
    whole.set(png(8, 8));
    // Big enough to be read, and then refused for the plan alone.
    expect((await send('/api/settings/branding', JSON.stringify({ logo: dataUrl(whole) }))).status).toBe(409);
  });
});

test('chores run: what fails is logged by name, and does not end them', async () => {
  const broken = {
    ...api.deps,
    store: { ...api.deps.store, readStream: () => Promise.reject(new Error('x')) },
    erasing: erasing(api).deps,
  };
  await api.deps.db.query(
    `insert into state.files (id, business_id, kind, name, mime, bytes, created_at, expires_at)
     values ($1, $2, 'logo', 'logo.webp', 'image/webp', 1, now() - interval '2 days', now() - interval '1 day'),
       ($3, $2, 'media', 'x', 'x', 1, now() - interval '2 days', now() - interval '1 hour')`,
    ['L'.repeat(32), acme.businessId, 'M'.repeat(32)],
  );
  const left = async () => (await api.deps.db.query('select id from state.files')).rows.map(({ id }) => id);
  const keeping = startChores(broken);
  await expect
    .poll(() => lines.some((line) => line.includes('"chore":"sweep-files"')), { timeout: 30_000 })
    .toBe(true);
  await keeping.stop();
  expect(await left()).toEqual(['L'.repeat(32)]);

  const again = startChores({ ...api.deps, erasing: erasing(api).deps });
  await expect.poll(left, { timeout: 30_000 }).toEqual([]);
  await again.stop();
});
