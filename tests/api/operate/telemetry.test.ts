import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLogger } from '#api/http/log.ts';
import type { Telemetry } from '#api/runtime/telemetry/port.ts';
import { openTelemetry } from '#api/runtime/telemetry/telemetry.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { deliver } from '#tests/support/app/messages.ts';
import { aNewJob, requestedJob } from '#tests/support/scenarios/job-requests.ts';
import { type CollectedSpan, type Collector, startCollector } from '#tests/support/servers/collector.ts';

const logger = createLogger('silent');

async function tracing(env: Record<string, string>): Promise<Telemetry> {
  const telemetry = await openTelemetry(testConfig(env).telemetry, { role: 'api', logger });
  if (!telemetry) throw new Error('no collector is configured');
  return telemetry;
}

/** What a request, its command and its append, the batch after it and its messages have become. */
async function collected(env: Record<string, string>): Promise<{ collector: Collector; id: string }> {
  const collector = startCollector();
  const telemetry = await tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env });
  const app = await testApp({ processes: true, telemetry });
  try {
    const acme = await app.signIn();
    await requestedJob(app, acme);
    await deliver(app);
    const added = await acme.post('/api/jobs', aNewJob(), { 'idempotency-key': crypto.randomUUID() });
    expect(added.status, added.text).toBe(200);
    await app.settle();
    await app.get('/api/no-such-route');
    // A request ends after its answer.
    await vi.waitUntil(
      () => collector.spans().some(({ attributes }) => attributes['http.response.status_code'] === 404),
      15_000,
    );
    return { collector, id: added.headers.get('x-request-id') ?? '' };
  } finally {
    await app.close();
    await telemetry.stop();
  }
}

describe.each([
  ['protobuf, which is the default', {}],
  ['JSON', { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }],
])('spans as %s', (_, env: Record<string, string>) => {
  let collector: Collector;
  let spans: CollectedSpan[];
  let id: string;
  const only = (name: string, of = spans) => {
    const found = of.filter((span) => span.name === name);
    expect(found, `${name} among ${of.map((span) => span.name).join(', ')}`).toHaveLength(1);
    return found[0] as CollectedSpan;
  };
  beforeAll(async () => {
    ({ collector, id } = await collected({
      ...env,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ute%20au,authorization=Bearer%20abc',
      OTEL_SERVICE_NAME: 'ute-sydney',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
    }));
    spans = collector.spans();
  }, 60_000);
  afterAll(() => collector.stop());

  test('come to the path of traces with the headers of the environment', () => {
    expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
    const [first] = collector.received;
    expect(first?.headers.get('x-tenant')).toBe('ute au');
    expect(first?.headers.get('authorization')).toBe('Bearer abc');
    expect(spans[0]?.resource).toMatchObject({
      'service.name': 'ute-sydney',
      'ute.role': 'api',
      'deployment.environment.name': 'staging',
    });
  });

  test('a request is a trace with the id of the request; its command and append lie below it', () => {
    const trace = spans.filter(({ traceId }) => traceId === id.replaceAll('-', ''));
    const request = only('POST /api/jobs/', trace);
    expect(request).toMatchObject({
      ...{ kind: 2, parentSpanId: '', status: 0, spanId: request.traceId.slice(16) },
      attributes: {
        'ute.request.id': id,
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'ute.business.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    const command = only('command AddJob', trace);
    expect(command.parentSpanId).toBe(request.spanId);
    const append = only('append', trace);
    expect(append.parentSpanId).toBe(command.spanId);
    expect(append.attributes).toMatchObject({
      'ute.event.types': ['JobAdded'],
      'ute.stream': command.attributes['ute.stream'],
      'ute.request.id': id,
    });
    expect(request.startTimeUnixNano <= append.startTimeUnixNano).toBe(true);
    expect(append.endTimeUnixNano <= request.endTimeUnixNano).toBe(true);
  });

  test('a batch is a trace of its own that links to the request whose events it applies', () => {
    const traceId = id.replaceAll('-', '');
    const linked = spans.filter(({ links }) => links.some((link) => link.traceId === traceId));
    expect(linked.map(({ name }) => name)).toContain('batch jobs');
    const batch = linked.find(({ name }) => name === 'batch jobs');
    expect(batch?.links).toContainEqual({ traceId, spanId: traceId.slice(16) });
    expect(batch?.parentSpanId).toBe('');
    expect(batch?.traceId).not.toBe(traceId);
  });

  test('a message is a trace with its ids, and each try to send lies below it', () => {
    const message = spans.find(({ name }) => name === 'message new-job-mail');
    expect(message?.attributes).toMatchObject({
      'ute.message.kind': 'new-job-mail',
      'ute.job.id': expect.any(String),
      'ute.message.attempts': 1,
    });
    const send = spans.find(({ parentSpanId }) => parentSpanId === message?.spanId);
    expect(send).toMatchObject({ name: 'send', kind: 3, attributes: { 'ute.provider': 'outbox' } });
  });

  test('what matches no route is named by the route of all else, and its path is nowhere', () => {
    const missed = spans.filter(({ attributes }) => attributes['http.response.status_code'] === 404);
    expect(missed.map(({ name }) => name)).toEqual(['GET /*']);
    const text = collector.received.map(({ body }) => body.toString('latin1')).join('');
    expect(text).not.toContain('no-such-route');
  });
});

describe('a caller’s traceparent', () => {
  const caller = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) };
  let collector: Collector;
  let app: TestApp;
  let telemetry: Telemetry;
  beforeAll(async () => {
    collector = startCollector();
    telemetry = await tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    app = await testApp({ telemetry });
  });
  afterAll(async () => {
    await app.close();
    await telemetry.stop();
    await collector.stop();
  });

  test('is a link: it gives no id, and one that is malformed is nothing', async () => {
    for (const traceparent of [
      `00-${caller.traceId}-${caller.spanId}-01`,
      `00-${'0'.repeat(32)}-${caller.spanId}-01`,
      `00-${caller.traceId}-${caller.spanId}-01-more`,
      'Lena Citizen 0491 570 006',
    ])
      await app.get('/api/health/live', { traceparent, tracestate: 'vendor=Lena', baggage: 'name=Lena' });
    await expect.poll(() => collector.spans().length).toBe(4);
    const spans = collector.spans();
    expect(spans.map(({ links }) => links)).toEqual([[caller], [], [], []]);
    expect(spans.some(({ traceId }) => traceId === caller.traceId)).toBe(false);
    expect(collector.received.map(({ body }) => body.toString('latin1')).join('')).not.toContain('Lena');
  });
});

test('a share of traces is recorded, each whole or not at all, whatever a caller asks for', async () => {
  const collector = startCollector();
  const telemetry = await tracing({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  const app = await testApp({ telemetry });
  const acme = await app.signIn();
  const sampled = { traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` };
  await acme.post('/api/jobs', aNewJob(), { ...sampled, 'idempotency-key': crypto.randomUUID() });
  await app.close();
  await telemetry.stop();
  expect(collector.received).toEqual([]);
  await collector.stop();
});
