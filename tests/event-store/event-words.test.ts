import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type JobEvent, jobEvents, personalNames } from '#core/job/job.ts';
import { eventWords, fieldLabel, fieldWords } from '#core/proof/event-words.ts';

const golden = (type: string) =>
  JSON.parse(readFileSync(`tests/event-store/golden/${type}.v1.json`, 'utf8')).stored;

test.each(Object.keys(jobEvents))('a record says in words what %s is', (type) => {
  const words = eventWords(type, golden(type).data);
  expect(words).not.toContain(type);
  expect(words).not.toMatch(/undefined|null|\[object|T\d\d:/);
});

test('with its status and its times, and an event without words by its type', () => {
  expect(eventWords('JobStatusRestored', golden('JobStatusRestored').data)).toBe(
    'A change was undone: the status is Pending again',
  );
  expect(eventWords('JobScheduled', { scheduledAt: '2026-11-23T05:00:00.000Z' })).toBe(
    'The job was scheduled for 2026-11-23 05:00:00 UTC',
  );
  expect(eventWords('JobScheduled', { scheduledAt: null })).toBe('The job was taken off the schedule');
  expect(eventWords('constructor', {})).toBe('constructor');
});

test.each(Object.keys(jobEvents) as JobEvent['type'][])(
  'a record has a label for each personal field of %s',
  (type) => {
    const unlabelled = personalNames(type).filter((field) => fieldLabel(field) === field);
    expect(unlabelled).toEqual([]);
  },
);

test('a field says what stands in it, and an empty one nothing', () => {
  expect(fieldLabel('media/0')).toBe('File 1');
  expect(fieldWords({ id: 'a', name: 'leak.jpg', mime: 'image/jpeg', bytes: 9 })).toBe(
    'leak.jpg, image/jpeg, 9 bytes',
  );
  expect(fieldWords({ address: '1 High St', placeId: null, lat: -37.5, lng: 145 })).toBe(
    '1 High St (-37.5, 145)',
  );
  for (const empty of ['', null, [], { address: '', placeId: null, lat: null, lng: null }])
    expect(fieldWords(empty)).toBeNull();
});
