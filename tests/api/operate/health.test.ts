import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';

let api: TestApp;
let down = false;
const stopping = new AbortController();
const token = 'metrics-token-of-the-test-0123456789';

const fallible = (store: EventStore): EventStore => {
  const guard =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      down ? Promise.reject(new EventStoreUnavailableError('away')) : call(...args);
  return {
    ...store,
    append: guard(store.append),
    readStream: guard(store.readStream),
    head: guard(store.head),
  };
};

beforeAll(async () => {
  api = await testApp({ store: fallible, stopping: stopping.signal });
  await api.signIn();
});
afterAll(() => api?.close());

describe('readiness', () => {
  test('is whole when everything answers', async () => {
    const { status, body } = await api.get('/api/health/ready');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      degraded: false,
      checks: { process: 'ok', database: 'ok', eventStore: 'ok', projections: 'ok' },
    });
  });

  test('is degraded, but ready, while an event is parked', async () => {
    const parked = {
      ...api.deps,
      readSide: { ...api.deps.readSide, status: async () => [status('live', 1)] },
    };
    const { checkReadiness } = await import('#api/http/health/readiness.ts');
    expect(await checkReadiness(parked)).toMatchObject({ ready: true, degraded: true });
  });

  test('is degraded, with the reason, while something that follows the log stands still', async () => {
    const stall = { name: 'outbox', position: '51', head: '172721', reason: 'position-not-in-log' } as const;
    const { checkReadiness } = await import('#api/http/health/readiness.ts');
    expect(await checkReadiness({ ...api.deps, stalls: () => [stall] })).toMatchObject({
      ...{ ready: true, degraded: true, checks: { projections: 'degraded' } },
      reasons: [{ name: 'outbox', reason: 'position-not-in-log' }],
    });
  });

  test('names a missing, an old or a failing backup in production, and is whole', async () => {
    const { checkReadiness } = await import('#api/http/health/readiness.ts');
    const config = { ...api.deps.config, environment: 'production' } as const;
    const readiness = () => checkReadiness({ ...api.deps, config });
    const whole = { ready: true, degraded: false };
    expect(await readiness()).toMatchObject({ ...whole, reasons: [{ name: 'backup', reason: 'none' }] });
    const taken = (hours: number) =>
      api.everyRow.query(
        `insert into state.backups (part, at) values ('log', now() - $1 * interval '1 hour')
         on conflict (part) do update set at = excluded.at`,
        [hours],
      );
    await taken(2);
    expect(await readiness()).toMatchObject({ ...whole, reasons: [{ name: 'backup', reason: 'old' }] });
    await taken(0);
    expect(await readiness()).toMatchObject({ ...whole, reasons: [] });
    await api.everyRow.query(`insert into state.backups (part, at) values ('failed', now())`);
    expect(await readiness()).toMatchObject({ ...whole, reasons: [{ name: 'backup', reason: 'failing' }] });
    await api.everyRow.query('delete from state.backups');
  });

  test('names a full disk: of the database, of the data folder, and of where backups go', async () => {
    const { checkReadiness } = await import('#api/http/health/readiness.ts');
    const { sawFullDisk } = await import('#core/postgres/full-disk.ts');
    const config = { ...api.deps.config, environment: 'production', databaseUrl: undefined } as never;
    const room = { empty: async () => 10 * 1024 ** 3, full: async () => 1_000_000 };
    const readiness = (freeBytes: () => Promise<number>) =>
      checkReadiness({ ...api.deps, config }, freeBytes);
    await api.everyRow.query(
      `insert into state.backups (part, at, reason) values ('log', now(), null),
         ('failed', now(), 'the folder of BACKUP_TO cannot be written (ENOSPC)')`,
    );
    expect(await readiness(room.empty)).toMatchObject({
      ...{ ready: true, degraded: false },
      reasons: [{ name: 'backup', reason: 'disk-full' }],
    });
    await api.everyRow.query('delete from state.backups');
    expect(await readiness(room.full)).toMatchObject({
      ...{ ready: true, degraded: true, checks: { database: 'degraded' } },
      reasons: expect.arrayContaining([{ name: 'data-folder', reason: 'disk-full' }]),
    });
    // Long ago for every other test in this process.
    const then = vi.spyOn(performance, 'now').mockReturnValue(-1_000_000);
    const said = api.everyRow.query(`do $$ begin raise exception 'no room' using errcode = '53100'; end $$`);
    await expect(said).rejects.toMatchObject({ code: '53100' });
    expect([sawFullDisk(60_000), sawFullDisk(0)]).toEqual([true, false]);
    const full = await readiness(room.empty);
    then.mockRestore();
    expect(full).toMatchObject({
      ...{ ready: true, degraded: true, checks: { database: 'degraded' } },
      reasons: expect.arrayContaining([{ name: 'database', reason: 'disk-full' }]),
    });
    expect(sawFullDisk(60_000)).toBe(false);
  });

  test('fails with 503 while the event store is unavailable; the process is alive', async () => {
    down = true;
    const answer = await api.get('/api/health/ready');
    const alive = await api.get('/api/health/live');
    down = false;
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(alive.status).toBe(200);
  });

  test('fails once the process drains', async () => {
    stopping.abort();
    expect((await api.get('/api/health/ready')).status).toBe(503);
    expect((await api.get('/api/health/live')).status).toBe(200);
  });
});

function status(state: 'live', parked: number) {
  return { name: 'jobs', version: 1, position: '1', head: '1', state, parked };
}

describe('metrics', () => {
  test('are for this machine when there is no token', async () => {
    const answer = await api.get('/api/metrics');
    expect(answer.text).toContain('ute_http_request_seconds_bucket');
    expect(answer.text).toContain('ute_projection_parked_events{projection="jobs"} 0');
    expect(answer.text).toContain('route="/api/health/ready"');
    expect(answer.text).toMatch(/^process_resident_memory_bytes \d/m);
    // Bun goes through the whole heap for its spaces, and every request waits.
    expect(answer.text).not.toContain('nodejs_heap_space');
  });

  test('are refused under another name than those of this machine without a token', async () => {
    expect((await api.get('/api/metrics', { host: 'evil.example' })).status).toBe(404);
  });

  test('are refused behind a proxy without a token', async () => {
    expect((await api.get('/api/metrics', { 'x-forwarded-for': '127.0.0.1' })).status).toBe(404);
  });

  test('are for the bearer of the token, from anywhere', async () => {
    const guarded = await testApp({ env: { METRICS_TOKEN: token } });
    expect((await guarded.get('/api/metrics')).status).toBe(404);
    expect((await guarded.get('/api/metrics', { authorization: 'Bearer wrong' })).status).toBe(404);
    expect((await guarded.get('/api/metrics', { authorization: `Bearer ${token}` })).status).toBe(200);
    await guarded.close();
  });
});

describe('a browser’s error', () => {
  const report = { ref: '0198c0de', route: '/jobs/details/:id', stackHash: 'deadbeefdeadbeef' };

  test('is taken', async () => {
    expect((await api.post('/api/client-errors', report)).body).toEqual({ status: 'ok' });
  });

  test.each([
    ['a stack', { ...report, stackHash: 'Error: Jane Citizen 0412 345 678' }],
    ['a query', { ...report, route: '/jobs/all?search=jane' }],
    ['more', { ...report, message: 'Jane' }],
  ])('that carries %s is not', async (_name, body) => {
    expect((await api.post('/api/client-errors', body)).status).toBe(422);
  });
});

describe('the description of the API', () => {
  test('has every route of the API', async () => {
    const { body } = await api.get('/api/openapi');
    const described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${bare(path)}`),
    );
    const routes = api.app.routes
      .filter(({ path }) => path.startsWith('/api/') && path !== '/api/openapi')
      .map(({ method, path }) => `${method} ${bare(path.replace(/:(\w+)/g, '{$1}'))}`);
    expect(described.sort()).toEqual(routes.sort());
    expect(described).toContain('POST /api/authenticate/login');
  });

  const bare = (path: string) => path.replace(/\/$/, '');

  test('has the shape of a body', async () => {
    const { body } = await api.get('/api/openapi');
    const login = JSON.stringify(body.paths['/api/authenticate/login'].post.requestBody);
    expect(login).toContain('password');
  });

  test('is not there when it is off', async () => {
    const closed = await testApp({ env: { OPENAPI: 'false' } });
    expect((await closed.get('/api/openapi')).status).toBe(404);
    await closed.close();
  });
});

test('every route that changes something and takes a body has a schema for it', () => {
  // The file of a customer is bytes, and judged as such, as is a photo of the work.
  const takesNone = new Set(['/logout', '/accept', '/reject', '/notifications/test', '/:slug/media']);
  const bytes = 'PUT /api/jobs/:id/photos/:photoId';
  const open = api.app.routes
    .filter(({ method, path }) => path.startsWith('/api/') && method !== 'GET' && method !== 'DELETE')
    .filter(({ path }) => ![...takesNone].some((end) => path.endsWith(end)))
    .filter(({ hooks }) => !hooks.body);
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([bytes]);
});
