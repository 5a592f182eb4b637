import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';

/** What a span says, by either encoding. Ids as hex, times in nanoseconds since 1970. */
export type CollectedSpan = Readonly<{
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  startTimeUnixNano: bigint;
  endTimeUnixNano: bigint;
  attributes: Readonly<Record<string, unknown>>;
  links: readonly Readonly<{ traceId: string; spanId: string }>[];
  /** 0 unset, 1 ok, 2 error. */
  status: number;
  resource: Readonly<Record<string, unknown>>;
}>;

export type Collector = Readonly<{
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  /** All spans that were taken so far. */
  spans(): CollectedSpan[];
  /** What came over the wire, byte by byte, with paths and headers. */
  received: readonly Readonly<{ path: string; headers: Headers; body: Buffer }>[];
  stop(): Promise<void>;
}>;

/** The part of OpenTelemetry's trace protocol that is read here; a field that is left out is skipped. */
const protocol = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resourceSpans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes traceId = 1; bytes spanId = 2; bytes parentSpanId = 4; string name = 5; int32 kind = 6;
    fixed64 startTimeUnixNano = 7; fixed64 endTimeUnixNano = 8; repeated KeyValue attributes = 9;
    repeated Link links = 13; Status status = 15;
  }
  message Link { bytes traceId = 1; bytes spanId = 2; }
  message Status { int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value {
      string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4; ArrayValue arrayValue = 5;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
`).root;

/** A collector on this machine that takes traces as protobuf and as JSON; `answer` may refuse or keep it waiting. */
export function startCollector(
  answer: () => Response | Promise<Response> = () => Response.json({}),
): Collector {
  const received: Collector['received'][number][] = [];
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 0 },
    async fetch(request) {
      const bytes = Buffer.from(await request.arrayBuffer());
      const isZipped = request.headers.get('content-encoding') === 'gzip';
      const { pathname } = new URL(request.url);
      received.push({
        path: pathname,
        headers: request.headers,
        body: isZipped ? gunzipSync(bytes) : bytes,
      });
      return answer();
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    received,
    spans: () => received.flatMap(({ headers, body }) => spansOf(headers.get('content-type') ?? '', body)),
    stop: () => server.stop(true),
  };
}

function spansOf(type: string, body: Buffer): CollectedSpan[] {
  const request: any = type === 'application/json' ? JSON.parse(body.toString()) : decode(type, body);
  return (request.resourceSpans ?? []).flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        startTimeUnixNano: BigInt(span.startTimeUnixNano),
        endTimeUnixNano: BigInt(span.endTimeUnixNano),
        attributes: attributesOf(span.attributes),
        links: (span.links ?? []).map(({ traceId, spanId }: any) => ({ traceId, spanId })),
        status: span.status?.code ?? 0,
        resource: attributesOf(resource.attributes),
      })),
    ),
  );
}

/** As the JSON of the protocol: ids as hex. */
function decode(type: string, body: Buffer): unknown {
  if (type !== 'application/x-protobuf') throw new Error(`a collector does not know ${type}`);
  const message = protocol.lookupType('Request');
  const plain = message.toObject(message.decode(body), { longs: String });
  return JSON.parse(
    JSON.stringify(plain, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('hex') : value,
    ),
  );
}

function attributesOf(pairs: any[] = []): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: any): unknown {
  if (value.arrayValue) return (value.arrayValue.values ?? []).map(plainValue);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.boolValue ?? value.doubleValue;
}
