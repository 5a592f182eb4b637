import { expect, test } from 'vitest';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { howManyWait } from '#site/jobs/leads/lead-order.ts';
import { groupNewJobs } from './job-list-store.ts';

const ids = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id);
const at = (hour: number) => `2026-01-05T0${hour}:00:00Z`;

test('what waits is urgent first, then oldest; the others keep the order of the list', () => {
  const { waiting, toQuote, rejected } = groupNewJobs([
    aCard('quote-2', { status: 'To quote', createdAt: at(2) }),
    aCard('young', { createdAt: at(3) }),
    aCard('old', { createdAt: at(1) }),
    aCard('urgent-young', { createdAt: at(5), isUrgent: true }),
    aCard('no', { status: 'Rejected' }),
    aCard('urgent-old', { createdAt: at(4), isUrgent: true }),
    aCard('quote-1', { status: 'To quote', createdAt: at(1) }),
  ]);
  expect(ids(waiting)).toEqual(['urgent-old', 'urgent-young', 'old', 'young']);
  expect(ids(toQuote)).toEqual(['quote-2', 'quote-1']);
  expect(ids(rejected)).toEqual(['no']);
});

test('what is called off or held for review stands behind all that waits', () => {
  const { waiting } = groupNewJobs([
    aCard('called-off', { createdAt: at(1), isUrgent: true, noLongerNeededAt: at(2) }),
    aCard('held', { createdAt: at(2), isUrgent: true, heldFor: 'rush' }),
    aCard('young', { createdAt: at(3) }),
  ]);
  expect(ids(waiting)).toEqual(['young', 'called-off', 'held']);
});

test('a job that has gone on is in no group', () => {
  const { waiting, toQuote, rejected } = groupNewJobs([aCard('working', { status: 'In progress' })]);
  expect([waiting, toQuote, rejected]).toEqual([[], [], []]);
});

test('what is held for review is named apart from what the counts have', () => {
  const [open, held] = [{ heldFor: null }, { heldFor: 'rush' as const }];
  expect(howManyWait([open, open])).toBe('2');
  expect(howManyWait([open, held, open])).toBe('2 + 1 held');
  expect(howManyWait([held])).toBe('1 held');
});
