import { expect, test } from 'vitest';
import { readPhone } from '#core/values/typed-phone.ts';
import { demoJobs } from './demo-jobs.ts';

const customers = demoJobs.map(({ request: { name, email, phone } }) => ({
  ...{ name, email, phone: readPhone(phone, 'au') },
}));

/** Who has each value, once each. */
function ownersOf(what: 'email' | 'phone'): string[][] {
  const found = Map.groupBy(customers, (customer) => customer[what]);
  return [...found.values()].map((all) => [...new Set(all.map(({ name }) => name))]);
}

test.each(['email', 'phone'] as const)('no two customers of the demo share their %s', (what) => {
  expect(ownersOf(what).filter((names) => names.length > 1)).toEqual([]);
});

test('a customer who comes again has the same email and phone, and none has the number of the business', () => {
  const people = Map.groupBy(customers, ({ name }) => name);
  for (const jobs of people.values()) expect(new Set(jobs.map((job) => JSON.stringify(job))).size).toBe(1);
  expect(customers.map(({ phone }) => phone)).not.toContain('+61491570006');
  expect(customers.map(({ phone }) => phone)).not.toContain(null);
});
