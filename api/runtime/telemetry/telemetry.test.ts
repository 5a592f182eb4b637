import { trace } from '@opentelemetry/api';
import { afterEach, expect, test, vi } from 'vitest';
import { tempFolder, testConfig } from '#tests/support/app/fixtures.ts';
import { type Collector, startCollector } from '#tests/support/servers/collector.ts';
import type { Telemetry } from './port.ts';
import { openTelemetry } from './telemetry.ts';

let collector: Collector | undefined;
const logged: object[] = [];
const log = (line: object) => void logged.push(line);

afterEach(async () => {
  vi.useRealTimers();
  await collector?.stop();
  logged.length = 0;
});

async function opened(answer?: () => Response | Promise<Response>): Promise<Telemetry> {
  collector = startCollector(answer);
  const { telemetry } = testConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const running = await openTelemetry(telemetry, { role: 'all', logger: { info: log, warn: log } as never });
  if (!running) throw new Error('no collector is configured');
  return running;
}

const message = { id: crypto.randomUUID(), kind: 'welcome', businessId: null, jobId: null, attempts: 1 };
const spanOf = ({ aroundMessage }: Telemetry) => aroundMessage(message, async () => 'done');
const spansOf = (telemetry: Telemetry, count: number) =>
  Promise.all(Array.from({ length: count }, () => spanOf(telemetry)));

test('without a collector there are no spans, and no module of the SDK is loaded', async () => {
  const script = `
    const { openTelemetry } = await import('#api/runtime/telemetry/telemetry.ts');
    const { configure } = await import('#api/runtime/environment.ts');
    await import('#api/main.ts');
    const { telemetry } = configure({ NODE_ENV: 'test', OTEL_SERVICE_NAME: 'ute', DATA_DIR: process.env.DATA_DIR });
    const opened = await openTelemetry(telemetry, {});
    const loaded = Object.keys(require.cache);
    const sdk = loaded.filter((path) => /@opentelemetry.(?!api.)/.test(path));
    const isListed = loaded.some((path) => path.includes('elysia'));
    console.log(JSON.stringify({ opened: opened ?? null, sdk, isListed }));
    process.exit(0);`;
  const folder = tempFolder('telemetry');
  const { stdout } = Bun.spawnSync([process.execPath, '-e', script], {
    cwd: process.cwd(),
    env: { ...process.env, DATA_DIR: folder.path },
  });
  folder.remove();
  expect(JSON.parse(stdout.toString())).toEqual({ opened: null, sdk: [], isListed: true });
});

test('the tracer that other libraries find stays the one that does nothing', async () => {
  const telemetry = await opened();
  await spanOf(telemetry);
  expect(trace.getTracer('a library').startSpan('theirs').isRecording()).toBe(false);
  await telemetry.stop();
  expect(collector?.spans().map(({ name }) => name)).toEqual(['message welcome']);
});

test('what is traced goes on while the collector keeps an export waiting, and spans beyond the queue are lost', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<Response>();
  const telemetry = await opened(() => released.then(() => Response.json({})));
  await spansOf(telemetry, 600);
  await expect.poll(() => collector?.received.length).toBe(1);
  expect(await spansOf(telemetry, 20_000)).toHaveLength(20_000);
  release(Response.json({}));
  await telemetry.stop();
  expect(collector?.spans().length).toBeGreaterThan(512);
  expect(collector?.spans().length).toBeLessThanOrEqual(512 + 4_096);
});

test('a failure of work is passed on as it is, and its span has the name of its class alone', async () => {
  const telemetry = await opened();
  const failure = new TypeError('no route to Lena Citizen');
  await expect(telemetry.aroundMessage(message, () => Promise.reject(failure))).rejects.toBe(failure);
  await telemetry.stop();
  expect(collector?.spans()).toMatchObject([{ status: 2, attributes: { 'error.type': 'TypeError' } }]);
  expect(collector?.received[0]?.body.toString('latin1')).not.toContain('Lena');
});

test('a collector that refuses is one warning, and one line says what was lost once it takes spans again', async () => {
  let status = 400;
  const telemetry = await opened(() => Response.json({}, { status }));
  for (let exported = 1; exported <= 2; exported++) {
    await spanOf(telemetry);
    await expect.poll(() => collector?.received.length).toBe(exported);
  }
  status = 200;
  await spanOf(telemetry);
  await expect.poll(() => logged).toHaveLength(2);
  expect(logged).toEqual([
    { event: 'telemetry-unavailable', reason: '400' },
    { event: 'telemetry-recovered', lostSpans: 2 },
  ]);
  await telemetry.stop();
});

test('a stop sends what is left, and waits for a collector that is silent no longer than its limit', async () => {
  const telemetry = await opened(() => new Promise<Response>(() => {}));
  await spanOf(telemetry);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stopped = telemetry.stop();
  await vi.advanceTimersByTimeAsync(3_000);
  await stopped;
  expect(collector?.received.length).toBeLessThanOrEqual(1);
});

test('a collector that is not there costs nothing but spans', async () => {
  const { telemetry: settings } = testConfig({
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TIMEOUT: '100' },
  });
  const telemetry = await openTelemetry(settings, { role: 'all', logger: { info: log, warn: log } as never });
  expect(telemetry && (await spanOf(telemetry))).toBe('done');
  await expect.poll(() => logged).toMatchObject([{ event: 'telemetry-unavailable' }]);
  await telemetry?.stop();
});
