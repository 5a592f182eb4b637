import { expect, test } from 'vitest';
import { readConnectionString } from './connection-string.ts';

const optionsOf = (url: string) => readConnectionString(url).options;

test('what is missing is added, what is given stays', () => {
  expect(optionsOf('esdb://localhost:2113')).toEqual({
    keepAliveInterval: '10000',
    keepAliveTimeout: '10000',
    connectionName: 'ute',
  });
  expect(optionsOf('esdb://h?tls=false&KeepAliveInterval=20000&keep_alive_timeout=-1')).toEqual({
    tls: 'false',
    keepAliveInterval: '20000',
    keepAliveTimeout: '-1',
    connectionName: 'ute',
  });
});

test.each([
  ['esdb://node', ['node:2113']],
  ['esdb://10.0.0.1:2113/?tls=true', ['10.0.0.1:2113']],
  ['esdb://[fd00::1],[::1]:2114?tls=true', ['[fd00::1]:2113', '[::1]:2114']],
  ['esdb+discover://cluster.example.com:2113', ['cluster.example.com:2113']],
  ['esdb://a:1,b:2,c:3?nodePreference=leader', ['a:1', 'b:2', 'c:3']],
])('%s names its hosts', (url, hosts) => {
  expect(readConnectionString(url).hosts).toEqual(hosts);
});

test('the credentials are taken out and unescaped', () => {
  const { hosts, credentials } = readConnectionString('esdb://ute:p%40ss%2Fw%3Ard@h:2113?tls=true');
  expect(credentials).toEqual({ username: 'ute', password: 'p@ss/w:rd' });
  expect(hosts).toEqual(['h:2113']);
  expect(readConnectionString('esdb://h')).not.toHaveProperty('credentials');
});

test('a path of a certificate passes whole', () => {
  const options = optionsOf('esdb://h?tls=true&tlsCAFile=%2Frun%2Fmy%20secrets%2Fca.crt');
  expect(options['tlsCAFile']).toBe('/run/my secrets/ca.crt');
  expect(optionsOf('esdb://h?tlsCAFile=/run/a b.crt')['tlsCAFile']).toBe('/run/a b.crt');
});

test.each([
  ['nothing', ''],
  ['another scheme', 'http://user:secret@h:2113'],
  ['a host that is none', 'esdb://user:secret@h:2113:9'],
  ['an unknown option', 'esdb://user:secret@h?tsl=true'],
  ['an option without a value', 'esdb://user:secret@h?tls='],
  ['tls that is neither true nor false', 'esdb://user:secret@h?tls=maybe'],
  ['a time that is no number', 'esdb://user:secret@h?gossipTimeout=soon'],
  ['an option that has no effect', 'esdb://user:secret@h?tlsVerifyCert=false'],
  ['a broken escape', 'esdb://user:sec%ret@h'],
])('%s is refused without repeating the password', (_, url) => {
  const refusal = (() => {
    try {
      readConnectionString(url);
    } catch (error) {
      return error;
    }
    return null;
  })();
  expect(refusal).toBeInstanceOf(RangeError);
  expect(String(refusal)).not.toMatch(/secret|sec%ret/);
});
