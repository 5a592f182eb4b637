import { expect, test } from 'vitest';
import type { HistoryEntry } from '#site/jobs/history/history-store.ts';
import { $address, changesOf, loadChanges, openAddress } from './changes.ts';

const entry = (revision: number | null, what: string) =>
  ({ revision, what, at: `at ${revision}` }) as unknown as HistoryEntry;

test('entries of one event are one change, and what could not be delivered is none', () => {
  const entries = [
    entry(0, 'requested'),
    entry(null, 'undelivered'),
    entry(2, 'status'),
    entry(2, 'schedule'),
  ];
  const changes = changesOf(entries);
  expect(changes.map(({ revision, entries }) => [revision, entries.map(({ what }) => what)])).toEqual([
    [0, ['requested']],
    [2, ['status', 'schedule']],
  ]);
});

test('all pages of a history are read, and stand oldest first', async () => {
  const pages: Record<string, object> = {
    '/jobs/j/history': { history: [entry(2, 'opened'), entry(1, 'accepted')], next: 1 },
    '/jobs/j/history?before=1': { history: [entry(0, 'requested')], next: null },
  };
  const read = async <T>(path: string) => pages[path] as T;
  expect((await loadChanges('j', read)).map(({ revision }) => revision)).toEqual([0, 1, 2]);
});

test.each([
  ['?at=4', 4],
  ['', null],
  ['?at=-1', null],
  ['?at=later', null],
])('the address %s names the revision %s', (search, at) => {
  openAddress({ pathname: '/jobs/details/0199/record', search });
  expect($address.get()).toEqual({ jobId: '0199', at });
});
