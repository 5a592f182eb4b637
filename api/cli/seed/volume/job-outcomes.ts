import type { WorkingStatus } from '#core/job/statuses.ts';
import type { Random } from './random.ts';

/** What became of a job so far. */
export type Outcome = 'Pending' | 'Rejected' | WorkingStatus;

type Shares = Readonly<Record<Outcome, number>>;

/** In a hundred jobs, by how long ago they came in. */
const fresh: Shares = {
  ...{ Pending: 60, Rejected: 5, 'To quote': 22, 'In progress': 10, Quoted: 3 },
  ...{ Completed: 0, 'Invoice sent': 0, Paid: 0, Unsuccessful: 0 },
};
const recent: Shares = {
  ...{ Pending: 8, Rejected: 8, 'To quote': 14, 'In progress': 25, Quoted: 15 },
  ...{ Completed: 12, 'Invoice sent': 10, Paid: 6, Unsuccessful: 2 },
};
const old: Shares = {
  ...{ Pending: 3, Rejected: 10, 'To quote': 2, 'In progress': 3, Quoted: 4 },
  ...{ Completed: 8, 'Invoice sent': 6, Paid: 54, Unsuccessful: 10 },
};

/** By which statuses a tradie gets there, besides straight away. */
const detours: Partial<Record<Outcome, readonly (readonly WorkingStatus[])[]>> = {
  Completed: [[], ['In progress']],
  'Invoice sent': [[], ['Completed']],
  Paid: [[], [], ['Completed'], ['Invoice sent']],
  Unsuccessful: [[], ['Quoted']],
};

export function outcomeAfter(random: Random, days: number): Outcome {
  const shares = days < 3 ? fresh : days < 30 ? recent : old;
  let left = random.next() * 100;
  for (const [outcome, share] of Object.entries(shares)) {
    left -= share;
    if (left < 0) return outcome as Outcome;
  }
  return 'Paid';
}

/** The statuses that an accepted job was given on its way, in order; none for one that still has to be quoted. */
export function statusesTo(random: Random, outcome: Outcome): WorkingStatus[] {
  if (outcome === 'Pending' || outcome === 'Rejected' || outcome === 'To quote') return [];
  return [...random.pick(detours[outcome] ?? [[]]), outcome];
}
