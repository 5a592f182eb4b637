import { expect, test } from 'vitest';
import { jobStatuses } from '#core/job/statuses.ts';
import { likelyStatus, nextStep } from './JobControls.tsx';

const at = '2026-01-05T22:30:00.000Z';

test.each([
  ['Pending', null, 'Accept'],
  ['Rejected', null, 'Accept'],
  ['To quote', null, 'Set a time'],
  ['To quote', at, 'Mark quoted'],
  ['In progress', at, 'Mark completed'],
  ['Quoted', null, 'Start the job'],
  ['Completed', at, 'Invoice sent'],
  ['Invoice sent', at, 'Paid'],
  ['Paid', at, 'Print record'],
  ['Unsuccessful', null, 'Change status'],
] as const)('the next step of a job that is %s at %s is: %s', (status, scheduledAt, label) => {
  expect(nextStep({ status, scheduledAt }).label).toBe(label);
});

test('a step that sets a status sets the one that the list of statuses calls next', () => {
  for (const status of jobStatuses) {
    const step = nextStep({ status, scheduledAt: at });
    if (step.kind === 'status') expect(step.status).toBe(likelyStatus(status));
    else expect(likelyStatus(status)).toBeNull();
  }
});
