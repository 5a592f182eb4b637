import { expect, test } from 'vitest';
import { jobAdded } from '#tests/support/scenarios/deciders.ts';
import { parts } from './job.ts';

test('no two parts of a job use the same name, so that none takes the place of another', () => {
  const named = parts.flatMap((part) => [
    ...Object.keys(part.events).map((name) => `event ${name}`),
    ...Object.keys(part.handle).map((name) => `command ${name}`),
    ...Object.keys(part.begins(jobAdded)).map((name) => `state ${name}`),
    ...Object.keys(part.view.begins(jobAdded)).map((name) => `details ${name}`),
    ...Object.keys(part.history).map((name) => `entries of ${name}`),
    ...Object.keys(part.erasedEntries).map((name) => `erased ${name}`),
  ]);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
});
