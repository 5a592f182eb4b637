import { Elysia } from 'elysia';
import { expect, test } from 'vitest';
import { runChecks } from '#api/cli/doctor/finding.ts';
import { logChecks } from '#api/cli/doctor/log-checks.ts';
import { outsideChecks } from '#api/cli/doctor/outside-checks.ts';
import { doctorHeader, doctorProof, forwardedHops } from '#api/http/health/forwarded-hops.ts';
import { healthRoutes } from '#api/http/health/routes.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { supportOf } from '#core/event-store/eventstoredb/server-version.ts';
import { testConfig } from '#tests/support/api-config.ts';
import { startStandIn } from '#tests/support/eventstoredb/stand-in.ts';
import { providerServer } from '#tests/support/provider-server.ts';
import { s3Server } from '#tests/support/s3-server.ts';

const at = new Date('2026-07-01T00:00:00.500Z');

/** `state: line` of each finding of a check. */
async function found(checks: ReturnType<typeof outsideChecks>, name: string): Promise<string> {
  const findings = await runChecks(checks.filter((check) => check.name === name));
  return findings.map(({ state, line }) => `${state}: ${line}`).join('\n');
}

test('the version of the EventStoreDB server is named, and what an unsupported one asks for', async () => {
  const server = await startStandIn();
  const config = testConfig({ EVENTSTORE_URL: `esdb://${server.host}:${server.port}?tls=false` });
  const checks = () => logChecks({ config, db: null, log: null, processes: [] } as never);
  try {
    expect(await found(checks(), 'event store version')).toBe('ok: EventStoreDB 23.10.6 is supported');
  } finally {
    server.kill();
  }
  expect(await found(checks(), 'event store version')).toMatch(/^wrong: cannot be checked \(/);
  expect(['22.10.5', '23.6.0.0', '24.10.0', '25.0.1', 'main'].map(supportOf)).toEqual([
    ...['too old', 'too old', 'untested', 'untested', 'untested'],
  ]);
});

test('a bucket that answers, a wrong key, a wrong bucket and a store that is away: nothing is stored', async () => {
  const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'right-secret-of-the-test' };
  const account = { bucket: 'ute-files', region: 'auto', ...keys };
  const store = s3Server(account);
  const settings = {
    ...{ FILES: 's3', S3_ENDPOINT: store.url, S3_BUCKET: account.bucket, S3_REGION: account.region },
    ...{ S3_ACCESS_KEY_ID: account.accessKeyId, S3_SECRET_ACCESS_KEY: account.secretAccessKey },
  };
  const look = (other: Record<string, string> = {}) =>
    found(outsideChecks(testConfig({ ...settings, ...other })), 'files');
  try {
    expect(await look()).toBe('ok: the bucket answers to our key');
    const refused = await look({ S3_SECRET_ACCESS_KEY: 'wrong-marker-of-the-test' });
    expect(refused).toMatch(/^wrong: files cannot be stored \(SignatureDoesNotMatch\): see S3_SECRET/);
    expect(refused).not.toContain('marker');
    expect(await look({ S3_BUCKET: 'other-files' })).toMatch(/^wrong: .*\(NoSuchBucket\): see S3_BUCKET/);
    expect(store.objects.size).toBe(0);
  } finally {
    await store.stop();
  }
  expect(await look()).toMatch(/^wrong: files cannot be stored \(\w+\): see S3_ENDPOINT/);
  expect(await found(outsideChecks(testConfig()), 'files')).toMatch(/^ok: files lie on the disk/);
});

test('the addresses in X-Forwarded-For are counted against TRUSTED_PROXIES', async () => {
  const config = testConfig();
  const look = (trustedProxies: number, forwarded?: string) =>
    behindProxy(config, { forwarded }, (publicOrigin) => ({ ...config, publicOrigin, trustedProxies }));
  expect(await look(0)).toContain('ok: a request names 0 proxies in X-Forwarded-For, as many as trusted');
  expect(await look(2, '203.0.113.9, 10.0.0.2')).toContain('ok: a request names 2 proxies');
  expect(await look(1)).toMatch(/warning: .*0 addresses of 1 .*X-Forwarded-For is missing/);
  expect(await look(2, '203.0.113.9')).toMatch(/warning: .*1 addresses of 2 .*count your proxies/);
  expect(await look(0, '203.0.113.9')).toMatch(/wrong: .*1 addresses .*TRUSTED_PROXIES is 0/);
});

test('an installation with another key says nothing of its proxies', async () => {
  const other = testConfig();
  expect(await behindProxy(testConfig(), {}, (publicOrigin) => ({ ...other, publicOrigin }))).toContain(
    'warning: PUBLIC_ORIGIN leads to a Ute of another release or with another TOKEN_KEY',
  );
});

test('our clock is measured against the date of the answer', async () => {
  const config = testConfig();
  const look = (date: string) =>
    behindProxy(config, { date }, (publicOrigin) => ({ ...config, publicOrigin, trustedProxies: 0 }));
  expect(await look('Wed, 01 Jul 2026 00:01:30 GMT')).toMatch(
    /wrong: our clock is 90 s behind that of PUBLIC_ORIGIN: set both by NTP$/,
  );
  expect(await look('Wed, 01 Jul 2026 00:00:00 GMT')).not.toContain('clock');
});

test('the proof of the doctor is good for its minutes, its key and its time alone', () => {
  const config = testConfig();
  const hops = (proof: string, now: Date) =>
    forwardedHops(config, new Headers({ [doctorHeader]: proof, 'x-forwarded-for': 'a, b' }), now);
  const proof = doctorProof(config, at);
  const minutes = (count: number) => new Date(at.getTime() + count * 60_000);
  expect(hops(proof, at)).toBe(2);
  expect([minutes(3), minutes(-3)].map((now) => hops(proof, now))).toEqual([null, null]);
  expect(hops(proof.replace(/^\d+/, String(at.getTime() + 1)), at)).toBeNull();
  expect(hops(doctorProof(testConfig(), at), at)).toBeNull();
  expect(forwardedHops(config, new Headers({ 'x-forwarded-for': 'a' }), at)).toBeNull();
});

/** What the check of the public address finds behind a proxy that sets these headers of requests and answers. */
async function behindProxy(
  served: Config,
  { forwarded, date = at.toUTCString() }: { forwarded?: string | undefined; date?: string },
  looking: (publicOrigin: string) => Config,
): Promise<string> {
  const app = new Elysia({ prefix: '/api' }).use(healthRoutes({ config: served, now: () => at } as never));
  const proxy = providerServer(async (request) => {
    const headers = new Headers(request.headers);
    if (forwarded !== undefined) headers.set('x-forwarded-for', forwarded);
    const answer = await app.handle(new Request(request.url, { headers }));
    answer.headers.set('date', date);
    return answer;
  });
  try {
    const checks = outsideChecks(
      looking(proxy.url),
      async () => 1e12,
      () => at,
    );
    return await found(checks, 'public address');
  } finally {
    await proxy.stop();
  }
}
