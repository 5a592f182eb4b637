import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startChores } from '#api/background/chores.ts';
import { createChores } from '#api/rooms.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { erasing } from '#tests/support/scenarios/erasing.ts';
import { dataUrl, png } from '#tests/support/scenarios/files.ts';
import { aNewJob } from '#tests/support/scenarios/job-requests.ts';
import { passTime } from '#tests/support/scenarios/registrations.ts';

describe('job change limits', () => {
  let app: TestApp;
  let acme: SignedIn;
  beforeAll(async () => {
    app = await testApp({ env: { RATE_LIMITS: 'on' } });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => app?.close());

  const newJob = async () => (await acme.post('/api/jobs', aNewJob())).body.job.id as string;
  const note = (id: string, notes: string) => acme.put(`/api/jobs/${id}`, { notes });

  test('a job takes sixty changes in a minute, by whichever route, and says when it takes more', async () => {
    acme = await app.signIn();
    const [id, other] = [await newJob(), await newJob()];
    const answers = [];
    for (let n = 0; n < 58; n += 1) answers.push(await note(id, `Note ${n}`));
    const { revision } = answers.at(-1)?.body.job ?? {};
    answers.push(await acme.post(`/api/jobs/${id}/undo`, { revision }));
    answers.push(await acme.post(`/api/jobs/${id}/messages`, { kind: 'running-late' }));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);

    const refused = await note(id, 'One more');
    expect(refused).toMatchObject({ status: 429, body: { status: 'error' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    for (const route of ['undo', 'messages']) {
      const body = route === 'undo' ? { revision } : { kind: 'on-my-way' };
      expect((await acme.post(`/api/jobs/${id}/${route}`, body)).status).toBe(429);
    }
    expect((await acme.put(`/api/jobs/${id}/accept`)).status).toBe(429);
    expect((await note(other, 'Another job')).status).toBe(200);
    passTime(61_000);
    expect((await note(id, 'One more')).body.job.notes).toBe('One more');
  });

  test('an account makes 240 changes in a minute, over all its jobs', async () => {
    acme = await app.signIn();
    const ids = await Promise.all(Array.from({ length: 5 }, newJob));
    const statuses: number[] = [];
    for (let n = 0; n < 250; n += 1)
      statuses.push((await note(ids[n % ids.length] ?? '', `Note ${n}`)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(240);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    const eve = await app.signIn();
    const { job } = (await eve.post('/api/jobs', aNewJob())).body;
    expect((await eve.put(`/api/jobs/${job.id}`, { notes: 'Mine' })).status).toBe(200);
  });
});

describe('settings limits', () => {
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
        controller.enqueue(piece.slice());
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
      expect((await send('/api/settings/branding', JSON.stringify({ logo: dataUrl(whole) }))).status).toBe(
        409,
      );
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
    const keeping = startChores(broken, [createChores()]);
    await expect
      .poll(() => lines.some((line) => line.includes('"chore":"sweep-files"')), { timeout: 30_000 })
      .toBe(true);
    await keeping.stop();
    expect(await left()).toEqual(['L'.repeat(32)]);

    const again = startChores({ ...api.deps, erasing: erasing(api).deps }, [createChores()]);
    await expect.poll(left, { timeout: 30_000 }).toEqual([]);
    await again.stop();
  });
});
