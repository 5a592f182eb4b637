import { beforeEach, expect, test } from 'vitest';
import { aCard } from './a-card.fixture.ts';
import { $jobCards, storeCards } from './job-stores.ts';

beforeEach(() => $jobCards.set({}));

test('a list that is answered late never undoes an accept', () => {
  storeCards([aCard('j1', { status: 'To quote', revision: 1, phone: '+61491570156' })]);
  storeCards([aCard('j1', { status: 'Pending', revision: 0 })]);
  expect($jobCards.get().j1).toMatchObject({ status: 'To quote', phone: '+61491570156' });
});

test('a newer revision of a job replaces an older one', () => {
  storeCards([aCard('j2', { status: 'Pending', revision: 0 })]);
  storeCards([aCard('j2', { status: 'Rejected', revision: 1 })]);
  expect($jobCards.get().j2?.status).toBe('Rejected');
});
