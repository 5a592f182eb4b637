import { expect, test } from 'vitest';
import { testConfig } from '#tests/support/app/fixtures.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com:4318/ute/' };
const read = (env: Record<string, string> = {}) => testConfig({ ...endpoint, ...env }).telemetry;

test('without an endpoint, or disabled, there is none', () => {
  expect(testConfig({ OTEL_SERVICE_NAME: 'ute' }).telemetry).toBeUndefined();
  expect(read({ OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
});

test('an endpoint alone is protobuf, uncompressed, every trace', () => {
  expect(read()).toEqual({
    url: 'https://collector.example.com:4318/ute/v1/traces',
    encoding: 'protobuf',
    headers: {},
    timeout: 10_000,
    compression: 'none',
    service: 'ute',
    attributes: {},
    share: 1,
  });
});

test.each([
  ['always_on', '0.1', 1],
  ['parentbased_always_off', undefined, 0],
  ['traceidratio', '0.25', 0.25],
  ['parentbased_traceidratio', '.5', 0.5],
  ['parentbased_traceidratio', undefined, 1],
])('%s with %s records %d', (OTEL_TRACES_SAMPLER, argument, share) => {
  const given = argument === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: argument };
  expect(read({ OTEL_TRACES_SAMPLER, ...given })?.share).toBe(share);
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'an address such as https://collector.example.com:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:secret@collector:4318', 'an address such as'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'one of http/protobuf, http/json'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization', 'pairs such as name=value,name=value'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%0d%0ab', 'pairs such as name=value,name=value'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz', 'pairs such as name=value,name=value'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'one of always_on'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'a number from 0 to 1'],
  ['OTEL_TRACES_SAMPLER_ARG', '-0.1', 'a number from 0 to 1'],
])('%s=%s is refused without its value', (name, value, what) => {
  expect(() => read({ [name]: value })).toThrow(`Configuration: ${name} must be ${what}`);
  expect(() => read({ [name]: value })).not.toThrow(value);
});
