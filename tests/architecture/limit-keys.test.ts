import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeFiles, isTest } from './source-files.ts';

/** Make the key of a limit from an address: of an IPv6 client from its network, in which it may roam. */
const makers =
  /\b(?:addressKey|addressPrefix|networkOf|widerNetworks|hashSource|hashOf)\((?:[^()]|\([^()]*\))*\)/g;
/** An address by the names that it has in the code. */
const address = /\b(?:ip|address|clientAddress)\b/;
const spending =
  /\.(?:consume|giveBack|reset|penalty|reward|block)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g;
/** Where an address of a client may go besides: on, under a name that says what it is, and to the question whether it is this machine's. */
const passedOn =
  /\b(?:address|clientAddress|ip): (?:contextOf\([^()]*\)|context)\.ip\b|\(body\.(?:email|token), contextOf\(request\)\.ip\)|\/\^\(127[^/]*\/\.test\(contextOf\(request\)\.ip\)/g;

const wrongIn = (code: string) => {
  const spent = [...code.matchAll(spending)].map(([, key = '']) => key);
  const plain = code.replace(makers, 'key').replace(passedOn, '');
  return [
    ...spent.filter((key) => address.test(key.replace(makers, 'key'))),
    ...[...plain.matchAll(/\S*\)?\.ip\b/g)].map(([found]) => found),
  ];
};

test('no limit is counted by an address itself, but by the key that is made of it', () => {
  const api = codeFiles.filter((file) => file.startsWith('api/') && !isTest(file));
  expect(api.length).toBeGreaterThan(300);
  const wrong = api.flatMap((file) =>
    wrongIn(readFileSync(file, 'utf8')).map((found) => `${file}: ${found}`),
  );
  expect(wrong).toEqual([]);
});

test.each([
  'await limiter.consume(contextOf(request).ip);',
  'const { ip } = contextOf(request);\nawait limiter.consume(ip);',
  'const key = contextOf(request).ip;\nawait limiter.consume(key);',
  "await perAddress.consume('login ' + address);",
])('it finds %j', (code) => {
  expect(wrongIn(code)).not.toEqual([]);
});

test.each([
  'await limiter.consume(addressKey(contextOf(request).ip));',
  'await bySource.consume(hashSource(contextOf(request).ip, deps.config.keys.botCheck));',
  'deps.pages(request, { clientAddress: contextOf(request).ip });',
])('it leaves %j', (code) => {
  expect(wrongIn(code)).toEqual([]);
});
