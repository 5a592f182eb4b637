import { expect, test } from 'vitest';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { addressKey, addressPrefix, clientAddress, hashSource, warnOfProxies } from './client-address.ts';
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
  ['a port behind it', 1, '192.0.2.4:4711', '203.0.113.9', '192.0.2.4'],
  ['IPv6', 1, '2001:DB8::1', '203.0.113.9', '2001:db8::1'],
  ['IPv6 in brackets', 1, '[2001:db8::1]', '203.0.113.9', '2001:db8::1'],
  ['IPv6 in brackets with a port', 1, '6.6.6.6, [2001:db8::1]:443', '203.0.113.9', '2001:db8::1'],
  ['the same in quotes', 1, '"[2001:db8::1]:443"', '203.0.113.9', '2001:db8::1'],
  ['IPv4 dressed as IPv6, in brackets', 1, '[::ffff:192.0.2.4]:80', '203.0.113.9', '192.0.2.4'],
  ['IPv4 dressed in hexadecimal digits', 1, '::ffff:c000:204', '203.0.113.9', '192.0.2.4'],
  ['a name with a port: the socket', 1, 'unknown:80', '203.0.113.9', '203.0.113.9'],
  ['no address in brackets: the socket', 1, '[192.0.2]:80', '203.0.113.9', '203.0.113.9'],
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
  return { lines, warn: warnOfProxies({ config: testConfig(env), logger }) };
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

test('nothing is logged where proxies are counted, and write addresses', () => {
  const { lines, warn } = warnings({ TRUSTED_PROXIES: '1' });
  for (const header of [plain, proxied, forwarded('[2001:db8::1]:443'), forwarded('_hidden, 192.0.2.4:80')])
    warn(header, 1);
  expect(lines).toHaveLength(0);
});

test('an entry that is believed and is no address is warned of once an hour, without what it says', () => {
  const { lines, warn } = warnings({ TRUSTED_PROXIES: '1' });
  for (const at of [1, 2, HOUR]) warn(forwarded('198.51.100.7, _hidden'), at);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('forwarded-entry-is-no-address');
  expect(lines[0]).not.toMatch(/_hidden|198\.51/);
});

test('a source is the same for all addresses of a client', () => {
  const secret = Buffer.from('secret');
  expect(hashSource('2001:db8:0:42::1', secret)).toBe(hashSource('2001:db8:0:42:9::', secret));
  expect(hashSource('192.0.2.4', secret)).not.toBe(hashSource('192.0.2.5', secret));
});
