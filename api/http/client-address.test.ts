import { expect, test } from 'vitest';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { addressKey, addressPrefix, clientAddress, warnOfUncountedProxies } from './client-address.ts';
import { createLogger } from './log.ts';

const forwarded = (value: string) => new Headers({ 'x-forwarded-for': value });

test.each([
  ['no proxy trusted: what the header says changes nothing', 0, '10.1.1.1', '203.0.113.9', '203.0.113.9'],
  [
    'one proxy: its entry, whatever the client wrote before it',
    1,
    '10.1.1.1, 192.0.2.4',
    '127.0.0.1',
    '192.0.2.4',
  ],
  ['two proxies: the entry of the first', 2, '6.6.6.6, 192.0.2.4, 10.0.0.2', '127.0.0.1', '192.0.2.4'],
  ['too few entries: the socket', 2, '192.0.2.4', '203.0.113.9', '203.0.113.9'],
  ['an entry that is no address: the socket', 1, 'unknown', '203.0.113.9', '203.0.113.9'],
  ['IPv4 dressed as IPv6', 0, '', '::ffff:203.0.113.9', '203.0.113.9'],
])('%s', (_name, proxies, header, socket, address) => {
  expect(clientAddress(forwarded(header), socket, proxies)).toBe(address);
});

test('a prefix is the /24 of IPv4 and the /64 of IPv6, however it is spelled', () => {
  expect(addressPrefix('203.0.113.9')).toBe('203.0.113.0/24');
  expect(addressPrefix('2001:db8:0:42::1')).toBe('2001:db8:0:42::/64');
  expect(addressPrefix('2001:0db8::42:0:0:0:9')).toBe('2001:db8:0:42::/64');
  expect(addressPrefix('::1')).toBe('0:0:0:0::/64');
});

test('a client is an IPv4 address or an IPv6 /64', () => {
  expect(addressKey('203.0.113.9')).toBe('203.0.113.9');
  expect(addressKey('2001:db8:0:42::1')).toBe('2001:db8:0:42::/64');
});

const HOUR = 60 * 60_000;
const plain = new Headers();
const proxied = forwarded('198.51.100.7');

function warnings(env: Record<string, string>) {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(line) });
  return { lines, warn: warnOfUncountedProxies({ config: testConfig(env), logger }) };
}

test('a forwarded request while no proxy is counted is warned of once an hour, without the address', () => {
  const { lines, warn } = warnings({ TRUSTED_PROXIES: '0' });
  warn(plain, 0);
  expect(lines).toHaveLength(0);
  for (const at of [1, 2, HOUR]) warn(proxied, at);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('TRUSTED_PROXIES');
  expect(lines[0]).not.toContain('198.51');
  warn(proxied, HOUR + 1);
  expect(lines).toHaveLength(2);
});

test('nothing is logged where proxies are counted', () => {
  const { lines, warn } = warnings({ TRUSTED_PROXIES: '1' });
  warn(proxied, 1);
  expect(lines).toHaveLength(0);
});
