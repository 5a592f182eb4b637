import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLiveHub } from '#api/live/live-hub.ts';
import { accountDecider } from '#core/account/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { readLive } from '#tests/support/app/api-client.ts';

let api: TestApp;
let dave: SignedIn;
let eve: SignedIn;
let ahead = 0;
const stopping = new AbortController();

beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + ahead), stopping: stopping.signal });
  dave = await api.signIn();
  eve = await api.signIn();
});
afterAll(() => api?.close());

async function open(token: string, signal?: AbortSignal, query = '') {
  const request = new Request(`http://localhost/api/live${query}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(signal ? { signal } : {}),
  });
  return api.app.handle(request);
}

/** A change of the person's own read models: the onboarding flag falls. */
function change({ accountId }: SignedIn) {
  const command = { type: 'FinishOnboarding', at: new Date().toISOString(), data: { accountId } } as const;
  const cause = { commandId: Bun.randomUUIDv7(), actor: `account:${accountId}`, correlation: 'test' };
  return handleCommand(api.deps.store, accountDecider, streamName('account', accountId), command, cause);
}

async function signInAgain({ email, password }: SignedIn): Promise<string> {
  return (await api.post('/api/authenticate/login', { email, password })).body.token;
}

test('tells of changes of the own business by kind, id and position alone, and of no other’s', async () => {
  const response = await open(dave.token);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const live = readLive(response);
  await live.until(': open');
  await change(eve);
  const { position } = await change(dave);
  const text = await live.until(/event: change/);
  const data = /data: (.*)/.exec(text)?.[1] ?? '';
  expect(JSON.parse(data)).toEqual({ kind: expect.any(String), id: expect.any(String), position });
  expect(text).toContain(`id: ${position}\n`);
  expect(text).not.toContain(eve.accountId);
  expect(text).not.toContain(eve.businessId);
  await live.cancel();
});

test('tells a reader who has been asking for a while what changed meanwhile', async () => {
  const kim = await api.signIn();
  const began = performance.now();
  const before = readLive(await open(kim.token));
  await change(kim);
  await before.until('event: change');
  await before.cancel();
  const late = readLive(await open(kim.token, undefined, `?age=${performance.now() - began}`));
  await late.until('event: resync');
  await late.cancel();
});

test('is not for a client that is not signed in', async () => {
  expect((await api.get('/api/live')).status).toBe(403);
});

test('ends when its session is revoked, by another process too', async () => {
  const token = await signInAgain(dave);
  const live = readLive(await open(token));
  await live.until(': open');
  // What another process does when the person logs out there.
  await api.deps.db.query('update state.sessions set revoked_at = now() where account_id = $1', [
    dave.accountId,
  ]);
  await live.ended;
  dave = { ...dave, token: await signInAgain(dave) };
});

test('ends when its session expires', async () => {
  const live = readLive(await open(await signInAgain(eve)));
  await live.until(': open');
  ahead = 31 * 24 * 60 * 60_000;
  await live.ended;
  ahead = 0;
});

test('a fifth stream of one session ends its oldest', async () => {
  const oldest = readLive(await open(dave.token));
  const others = await Promise.all(Array.from({ length: 4 }, async () => readLive(await open(dave.token))));
  await oldest.ended;
  for (const live of others) await live.until(': open');
  await Promise.all(others.map((live) => live.cancel()));
});

test('says so when changes may have been missed, as after the database was unavailable', async () => {
  const live = readLive(await open(eve.token));
  await live.until(': open');
  await api.deps.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'ute listen %'`,
  );
  await live.until('event: resync\ndata: {}\n\n');
  await live.cancel();
});

test('nothing is left of a stream whose reader went away', async () => {
  let subscriptions = 0;
  const counting = {
    ...api.deps.readSide,
    onGap: (listener: () => void) => {
      subscriptions += 1;
      const stop = api.deps.readSide.onGap(listener);
      return () => {
        subscriptions -= 1;
        stop();
      };
    },
    onChange: (listener: Parameters<typeof api.deps.readSide.onChange>[0]) => {
      subscriptions += 1;
      const stop = api.deps.readSide.onChange(listener);
      return () => {
        subscriptions -= 1;
        stop();
      };
    },
  };
  const hub = createLiveHub({ ...api.deps, readSide: counting });
  const session = { id: 'x', accountId: dave.accountId, businessId: dave.businessId };
  const [first, second] = [hub.open(session), hub.open(session)];
  expect([hub.size(), subscriptions]).toEqual([2, 2]);
  await first.body.cancel();
  expect([hub.size(), subscriptions]).toEqual([1, 2]);
  second.end();
  expect([hub.size(), subscriptions]).toEqual([0, 0]);
});

test('ends when the process drains, and no new one opens', async () => {
  const live = readLive(await open(dave.token));
  await live.until(': open');
  stopping.abort();
  await live.ended;
  const late = await api.get('/api/live', { authorization: `Bearer ${dave.token}` });
  expect(late.status).toBe(503);
  expect(late.headers.get('retry-after')).toBe('5');
});
