import { expect, test } from 'vitest';
import { jobStatuses } from '#core/job/status/statuses.ts';
import { followVisit, likelyStatus, nextStep } from './JobControls.tsx';

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

test('ringing is next from an accept on the page until the job moves on or the page is left', () => {
  const opened = { id: 'j1', status: 'Pending', isAccepted: false } as const;
  expect(followVisit(opened, { id: 'j1', status: 'Pending' })).toBe(opened);
  const accepted = followVisit(opened, { id: 'j1', status: 'To quote' });
  expect(accepted.isAccepted).toBe(true);
  expect(followVisit(accepted, { id: 'j1', status: 'To quote' })).toBe(accepted);
  expect(followVisit(accepted, { id: 'j1', status: 'Quoted' }).isAccepted).toBe(false);
  expect(followVisit(opened, { id: 'j2', status: 'To quote' }).isAccepted).toBe(false);
  expect(followVisit(opened, { id: 'j1', status: 'Rejected' }).isAccepted).toBe(false);
});

test('a step that sets a status sets the one that the list of statuses calls next', () => {
  for (const status of jobStatuses) {
    const step = nextStep({ status, scheduledAt: at });
    if (step.kind === 'status') expect(step.status).toBe(likelyStatus(status));
    else expect(likelyStatus(status)).toBeNull();
  }
});
