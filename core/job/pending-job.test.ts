import { expect, test } from 'vitest';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { deciderSpec } from '#tests/support/decider-spec.ts';
import { ids, jobIn, now } from '#tests/support/job-scenarios.ts';
import type { JobEvent } from './events.ts';
import { pendingJobDecider } from './pending-job.ts';
import { jobStatuses } from './statuses.ts';

const given = deciderSpec(pendingJobDecider);
const accept = { type: 'AcceptJob', at: now, data: ids } as const;
const decline = { type: 'RejectJob', at: now, data: ids } as const;

test('a job that waits is accepted or declined', () => {
  given(jobIn('Pending'))
    .when(accept)
    .then([{ type: 'JobAccepted', data: { ...ids, acceptedAt: now } }]);
  given(jobIn('Pending'))
    .when(decline)
    .then([{ type: 'JobRejected', data: { ...ids, rejectedAt: now } }]);
});

test.each(jobStatuses.filter((status) => status !== 'Pending'))(
  'a job that is %s is not answered again',
  (status) => {
    given(jobIn(status)).when(accept).thenThrows(ConflictError);
    given(jobIn(status)).when(decline).thenThrows(ConflictError);
  },
);

test('a job that nobody needs any more is not answered, and the refusal says why', () => {
  const notNeeded: JobEvent = { type: 'JobNoLongerNeeded', data: { ...ids, saidAt: now } };
  const { decide } = given([...jobIn('Pending'), notNeeded]).when(accept);
  expect(decide).toThrow('The customer no longer needs this job');
});

test('another business has no such job', () => {
  const foreign = { ...accept, data: { ...ids, businessId: 'rival' } };
  given(jobIn('Pending')).when(foreign).thenThrows(NotFoundError);
});
