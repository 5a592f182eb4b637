import { choice, type EnvironmentReader, flag, text, wholeNumber } from './environment-reader.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Where spans go and how many. */
export type TelemetrySettings = Readonly<{
  /** Where the collector takes traces: the endpoint with `/v1/traces`. */
  url: string;
  encoding: 'protobuf' | 'json';
  headers: Readonly<Record<string, string>>;
  /** How long one export may take with its repeats, in milliseconds. */
  timeout: number;
  compression: 'gzip' | 'none';
  service: string;
  /** What the operator says of this process besides its name. */
  attributes: Readonly<Record<string, string>>;
  /** The share of traces that are recorded, from 0 to 1. A trace is recorded whole or not at all. */
  share: number;
}>;

/**
 * Reads OpenTelemetry's own variables. Undefined without `OTEL_EXPORTER_OTLP_ENDPOINT`, and with `OTEL_SDK_DISABLED`; what
 * is set besides is checked in any case.
 */
export function readTelemetrySettings(read: EnvironmentReader): TelemetrySettings | undefined {
  const endpoint = read.optional('OTEL_EXPORTER_OTLP_ENDPOINT', collector);
  const settings = {
    encoding: read.get('OTEL_EXPORTER_OTLP_PROTOCOL', protocol, 'protobuf'),
    headers: read.get('OTEL_EXPORTER_OTLP_HEADERS', pairs, {}),
    timeout: read.get('OTEL_EXPORTER_OTLP_TIMEOUT', wholeNumber(100, 60_000), 10_000),
    compression: read.get('OTEL_EXPORTER_OTLP_COMPRESSION', choice(['gzip', 'none'] as const), 'none'),
    service: read.get('OTEL_SERVICE_NAME', text(/^[\x20-\x7e]{1,100}$/, 'a name'), 'ute'),
    attributes: read.get('OTEL_RESOURCE_ATTRIBUTES', pairs, {}),
    share: readShare(read),
  } as const;
  const isDisabled = read.get('OTEL_SDK_DISABLED', flag, false);
  return endpoint === undefined || isDisabled ? undefined : { url: endpoint, ...settings };
}

/** Every parent of a span is of this process, so what decides by the parent decides as at the root. */
function readShare(read: EnvironmentReader): number {
  const sampler = read.get('OTEL_TRACES_SAMPLER', choice(samplers), 'parentbased_always_on');
  const ratio = read.get('OTEL_TRACES_SAMPLER_ARG', share, 1);
  if (sampler.endsWith('traceidratio')) return ratio;
  return sampler.endsWith('always_on') ? 1 : 0;
}

function collector(raw: string): string {
  const url = URL.parse(raw);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new RangeError('an address such as https://collector.example.com:4318');
  return `${url.href.replace(/\/$/, '')}/v1/traces`;
}

function protocol(raw: string): 'protobuf' | 'json' {
  const name = choice(['http/protobuf', 'http/json'] as const)(raw);
  return name === 'http/json' ? 'json' : 'protobuf';
}

function share(raw: string): number {
  const value = /^\d?(\.\d{1,12})?$/.test(raw) && raw !== '' ? Number(raw) : Number.NaN;
  if (!(value >= 0 && value <= 1)) throw new RangeError('a number from 0 to 1');
  return value;
}

/** `name=value,name=value`, values percent-encoded as in W3C Baggage. */
function pairs(raw: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pair of raw.split(',').filter((one) => one.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    const decoded = decode(value);
    if (name === '' || decoded === null) throw new RangeError('pairs such as name=value,name=value');
    found[name] = decoded;
  }
  return found;
}

/** Null for what is no percent-encoding, or would break a header. */
function decode(value: string): string | null {
  try {
    const decoded = decodeURIComponent(value);
    return /^[\x20-\x7e]*$/.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}
