import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TelemetrySettings } from '#api/runtime/config/telemetry.ts';
import { pause } from '#core/kernel/pause.ts';
import type { Telemetry } from './port.ts';
import { createSpans, type RootIds } from './spans.ts';

/** Spans in memory at most, and in one export; what comes beyond while the collector is slow is lost. */
const QUEUE = { maxQueueSize: 4_096, maxExportBatchSize: 512 };
/** How long a span waits for others, in milliseconds. */
const GROUPED = 1_000;
/** How long a stop waits for the collector, in milliseconds. */
const DRAIN = 3_000;

type Exporting = Readonly<{ role: string; logger: Pick<Logger, 'info' | 'warn'> }>;

/**
 * Spans to the collector of the settings. The provider is not made the global one: libraries that find a global tracer
 * would put texts of people into spans of their own.
 */
export async function startExport(settings: TelemetrySettings, exporting: Exporting): Promise<Telemetry> {
  const { url, service, attributes, share, timeout } = settings;
  const options = { keepAlive: true, maxSockets: 2 };
  const agent = url.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options);
  const exporter = loggingOutages(await exporterOf(settings, agent), exporting.logger);
  const random = new RandomIdGenerator();
  let given: RootIds | undefined;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      ...attributes,
      'service.name': service,
      'service.instance.id': crypto.randomUUID(),
      'ute.role': exporting.role,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    idGenerator: {
      generateTraceId: () => given?.traceId ?? random.generateTraceId(),
      generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    },
    spanLimits: { attributeValueLengthLimit: 200, attributeCountLimit: 32, linkCountLimit: 32 },
    spanProcessors: [
      new BatchSpanProcessor({
        ...QUEUE,
        exporter,
        scheduledDelayMillis: GROUPED,
        exportTimeoutMillis: timeout,
      }),
    ],
  });
  const spans = createSpans(provider.getTracer('ute'), (ids, start) => {
    // The provider asks for both ids before it returns.
    given = ids;
    try {
      return start();
    } finally {
      given = undefined;
    }
  });
  return {
    ...spans,
    async stop() {
      const drained = new AbortController();
      const ended = provider
        .shutdown()
        .catch(() => {})
        .finally(() => drained.abort());
      await Promise.race([ended, pause(DRAIN, drained.signal)]);
      agent.destroy();
    },
  };
}

async function exporterOf(settings: TelemetrySettings, agent: HttpAgent | HttpsAgent): Promise<SpanExporter> {
  const { url, headers, timeout, compression, encoding } = settings;
  const { OTLPTraceExporter } =
    encoding === 'json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({
    ...{ url, headers, timeoutMillis: timeout, httpAgentOptions: () => agent },
    compression: compression as never,
  });
}

/** Logs when the collector begins and ends to fail, once each: an error's text may repeat an address or a header. */
function loggingOutages(exporter: SpanExporter, logger: Exporting['logger']): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== 0) {
          if (lost === 0) logger.warn({ event: 'telemetry-unavailable', reason: reasonOf(result.error) });
          lost += spans.length;
        } else if (lost > 0) {
          logger.info({ event: 'telemetry-recovered', lostSpans: lost });
          lost = 0;
        }
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

function reasonOf(error: Error | undefined): string {
  const code = error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : (error?.name ?? 'unknown');
}
