import { expect, test } from 'vitest';
import { eventTypes } from '#core/event-store/event-types.ts';
import { eventSchemas } from './event-lines.ts';
import { createCollector } from './pages.ts';

test('what the schemas of events leave is collected after every few of them', () => {
  const made = createCollector();
  let collections = 0;
  const collector = { ...made, collect: () => [made.collect(), (collections += 1)] };
  const schemas = eventSchemas('job', collector);
  expect(Object.keys(schemas)).toEqual(Object.keys(eventTypes.job));
  expect(collections).toBeGreaterThan(Object.keys(schemas).length / 5);
});
