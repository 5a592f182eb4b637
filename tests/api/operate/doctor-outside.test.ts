import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runChecks } from '#api/cli/doctor/finding.ts';
import { logChecks } from '#api/cli/doctor/log-checks.ts';
import { outsideChecks } from '#api/cli/doctor/outside-checks.ts';
import { doctorHeader, doctorProof, hopsHeader } from '#api/http/health/doctor-proof.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { supportOf } from '#core/event-store/eventstoredb/administration.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';
import { s3Server } from '#tests/support/servers/providers.ts';

async function outside(config: Config, name: string, now = () => new Date()) {
  const checks = outsideChecks(config, async () => 1e12, now).filter((check) => check.name === name);
  return (await runChecks(checks)).map(({ state, line }) => `${state}: ${line}`).join('\n');
}

describe('the bucket of files', () => {
  const account = {
    bucket: 'ute',
    region: 'ap-southeast-2',
    accessKeyId: 'AK1',
    secretAccessKey: 'secret-marker',
  };
  const server = s3Server(account);
  const configured = (change: Partial<typeof account> = {}) => {
    const { bucket, region, accessKeyId, secretAccessKey } = { ...account, ...change };
    return testConfig({
      ...{ FILES: 's3', S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: server.url },
      ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
    });
  };
  afterAll(() => server.stop());

  test('answers to the key, and nothing is written into it', async () => {
    expect(await outside(configured(), 'files')).toBe('ok: the bucket answers to our key');
    expect(server.objects.size).toBe(0);
  });

  test('that is another, and a key that it does not take, are named without the secret', async () => {
    expect(await outside(configured({ bucket: 'other' }), 'files')).toBe(
      'wrong: files cannot be stored (NoSuchBucket): see S3_BUCKET, S3_REGION and S3_ENDPOINT',
    );
    const wrong = await outside(configured({ secretAccessKey: 'wrong-marker' }), 'files');
    expect(wrong).toBe(
      'wrong: files cannot be stored (SignatureDoesNotMatch): see S3_SECRET_ACCESS_KEY and S3_REGION',
    );
  });

  test('that cannot be reached is named', async () => {
    const away = {
      ...configured(),
      files: { ...configured().files, endpoint: 'http://127.0.0.1:1' },
    } as Config;
    expect(await outside(away, 'files')).toMatch(/^wrong: files cannot be stored .*see S3_ENDPOINT/);
  });

  test('a disk needs none', async () => {
    expect(await outside(testConfig(), 'files')).toBe('ok: files lie on the disk of this machine');
  });
});

describe('the way to PUBLIC_ORIGIN', () => {
  let app: TestApp;
  let server: ReturnType<typeof Bun.serve>;
  let forwarded: string | undefined;
  let date: string | undefined;
  beforeAll(async () => {
    app = await testApp();
    server = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1' },
      /** As a proxy that says for whom it asks. */
      async fetch(request) {
        const headers = new Headers(request.headers);
        if (forwarded !== undefined) headers.set('x-forwarded-for', forwarded);
        const answer = await app.app.handle(new Request(request.url, { headers }));
        return date === undefined ? answer : withDate(answer, date);
      },
    });
  });
  afterAll(async () => {
    await server?.stop(true);
    await app?.close();
  });
  const config = (trustedProxies: number): Config => ({
    ...app.deps.config,
    publicOrigin: `http://127.0.0.1:${server.port}`,
    trustedProxies,
  });
  const look = (trustedProxies: number) => outside(config(trustedProxies), 'public address');

  test('as many proxies as are trusted', async () => {
    forwarded = '203.0.113.9';
    expect(await look(1)).toBe(
      'ok: PUBLIC_ORIGIN leads to Ute\nok: a request names 1 proxies in X-Forwarded-For, as many as trusted',
    );
  });

  test('more than are trusted: all clients share the limits of a proxy', async () => {
    forwarded = '203.0.113.9, 10.0.0.2';
    expect(await look(1)).toMatch(
      /wrong: a request comes with 2 addresses in X-Forwarded-For and TRUSTED_PROXIES is 1/,
    );
  });

  test('fewer than are trusted: a client may choose its address', async () => {
    forwarded = '203.0.113.9';
    expect(await look(2)).toMatch(/warning: a request from here comes with 1 addresses of 2 .*may choose/);
  });

  test('a proxy that says nothing, and none where none is trusted', async () => {
    forwarded = undefined;
    expect(await look(0)).toContain('ok: a request names 0 proxies in X-Forwarded-For, as many as trusted');
    expect(await look(1)).toMatch(
      /warning: a request from here comes with 0 addresses of 1 .*is missing: let the proxy set it/,
    );
  });

  test('a clock that is not that of who answers', async () => {
    forwarded = '203.0.113.9';
    date = new Date(Date.now() + 90_000).toUTCString();
    expect(await look(1)).toMatch(/wrong: our clock is \d+ s behind that of PUBLIC_ORIGIN: set both by NTP$/);
    date = undefined;
  });

  test('a proxy that writes no address is named', async () => {
    for (const written of ['unknown', '_hidden', '192.0.2']) {
      forwarded = written;
      expect(await look(1)).toContain(
        'wrong: the entry of X-Forwarded-For that TRUSTED_PROXIES leads to is no address',
      );
    }
    for (const written of ['203.0.113.9:4711', '[2001:db8::1]:443']) {
      forwarded = written;
      expect(await look(1)).toContain('ok: a request names 1 proxies');
    }
  });

  test('who has not the key of the installation learns nothing of its proxies', async () => {
    forwarded = '203.0.113.9';
    const { config: own } = app.deps;
    const ask = (proof?: string) =>
      app.get('/api/health/live', proof === undefined ? {} : { [doctorHeader]: proof });
    const now = new Date();
    expect((await ask(doctorProof(own, now))).headers.get(hopsHeader)).toBe('0');
    for (const proof of [
      undefined,
      'x',
      doctorProof(testConfig(), now),
      doctorProof(own, new Date(now.getTime() - 300_000)),
      doctorProof(own, new Date(now.getTime() + 300_000)),
      doctorProof(own, now).replace(/^\d/, (digit) => String((Number(digit) + 1) % 10)),
    ]) {
      expect((await ask(proof)).headers.get(hopsHeader)).toBeNull();
    }
    expect(await outside({ ...config(1), keys: testConfig().keys }, 'public address')).toContain(
      'warning: PUBLIC_ORIGIN leads to a Ute of another release or with another TOKEN_KEY',
    );
  });
});

describe('the version of the event store', () => {
  async function versionLine(version: string, isAway = false): Promise<string> {
    const server = await startStandIn({ version });
    if (isAway) server.kill();
    const config = testConfig({ EVENTSTORE_URL: `esdb://${server.host}:${server.port}?tls=false` });
    const checks = logChecks({
      ...{ db: null as never, config, log: null as never, processes: [] },
    });
    const [finding] = await runChecks(checks.filter(({ name }) => name === 'event store version'));
    server.kill();
    return `${finding?.state}: ${finding?.line}`;
  }

  test('is named, and whether it is supported', async () => {
    expect(await versionLine('23.10.6')).toBe('ok: EventStoreDB 23.10.6 is supported');
    expect(await versionLine('21.10.0')).toMatch(
      /^wrong: EventStoreDB 21\.10\.0 gives no positions in streams/,
    );
    expect(await versionLine('25.0.1')).toMatch(/^warning: EventStoreDB 25\.0\.1 was not tested with Ute/);
    expect(await versionLine('23.10.6', true)).toMatch(
      /^wrong: localhost:\d+ refuses the connection: see that the server runs/,
    );
    expect(await versionLine('')).toMatch(/^warning: EventStoreDB of no known version was not tested/);
  });

  test.each([
    ['23.10.0.0', 'supported'],
    ['23.6.0', 'too old'],
    ['24.2.0', 'untested'],
    ['head', 'untested'],
  ])('%s is %s', (version, support) => {
    expect(supportOf(version)).toBe(support);
  });
});

function withDate(answer: Response, date: string): Response {
  const headers = new Headers(answer.headers);
  headers.set('date', date);
  return new Response(answer.body, { headers });
}
