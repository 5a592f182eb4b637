import { expect, test } from 'vitest';
import { targetsOf } from '#tests/support/eventstoredb/targets.ts';
import { eventStoreContract } from './contract.ts';

const realUrl = process.env['EVENTSTORE_TEST_URL'];
const targets = targetsOf(process.env);
for (const { name, open } of targets) eventStoreContract(name, open);

test(`the contract ran on ${targets.map(({ name }) => name).join(' and ')}${
  realUrl ? '' : '; on a real server it runs where EVENTSTORE_TEST_URL names one'
}`, () => {
  expect(targets).toHaveLength(realUrl ? 2 : 1);
});

test('a real server joins the targets when its address is given', () => {
  const names = (environment: Record<string, string>) => targetsOf(environment).map(({ name }) => name);
  expect(names({})).toEqual(['EventStoreDB (stand-in)']);
  expect(names({ EVENTSTORE_TEST_URL: 'esdb://localhost:2113?tls=false' })).toEqual([
    'EventStoreDB (stand-in)',
    'EventStoreDB (real server)',
  ]);
});
