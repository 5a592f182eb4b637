import { expect, test } from 'vitest';
import { isAccountEvent } from '#core/account/events.ts';
import { isJobEvent } from '#core/job/events.ts';
import { record } from '#tests/support/recorded-log.ts';
import { aJob, brunswick } from '#tests/support/scenarios.ts';
import { UnreadableEventError } from './errors.ts';
import { readableEvents, typedEvents } from './typed-events.ts';

const job = aJob('j1', brunswick);
const recorded = record([job.requested(), job.accepted()]);
const events = recorded.map(({ event }) => event);

test('the events of an aggregate are read as its own', () => {
  expect(typedEvents(isJobEvent, recorded)).toEqual(recorded);
  expect(readableEvents(isJobEvent, recorded)).toEqual(events);
});

test('an event of another aggregate counts as unreadable, in its place', () => {
  const [first] = typedEvents(isAccountEvent, recorded);
  expect(first).toMatchObject({ revision: 0, type: 'JobRequested', unreadable: 'of another aggregate' });
  expect(first?.event).toBeUndefined();
  expect(() => readableEvents(isAccountEvent, recorded)).toThrow(UnreadableEventError);
});

test('half a history is not folded', () => {
  const [first] = recorded;
  const { event: _, ...hidden } = { ...first, unreadable: 'its key is missing' };
  expect(() => readableEvents(isJobEvent, [...recorded, hidden as (typeof recorded)[number]])).toThrow(
    UnreadableEventError,
  );
});
