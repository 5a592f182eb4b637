import { expect, test } from 'vitest';
import { testConfig } from '#tests/support/api-config.ts';
import { createLogger } from './log.ts';
import { warnOfUncountedProxies } from './uncounted-proxies.ts';

const HOUR = 60 * 60_000;
const plain = new Headers();
const forwarded = new Headers({ 'x-forwarded-for': '198.51.100.7' });

function warnings(env: Record<string, string>) {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(line) });
  return { lines, warn: warnOfUncountedProxies({ config: testConfig(env), logger }) };
}

test('a forwarded request while no proxy is counted is warned of once an hour, without the address', () => {
  const { lines, warn } = warnings({ TRUSTED_PROXIES: '0' });
  warn(plain, 0);
  expect(lines).toHaveLength(0);
  for (const at of [1, 2, HOUR]) warn(forwarded, at);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('TRUSTED_PROXIES');
  expect(lines[0]).not.toContain('198.51');
  warn(forwarded, HOUR + 1);
  expect(lines).toHaveLength(2);
});

test('nothing is logged where proxies are counted', () => {
  const { lines, warn } = warnings({ TRUSTED_PROXIES: '1' });
  warn(forwarded, 1);
  expect(lines).toHaveLength(0);
});
