import { describe, expect, test } from 'vitest';
import { ConflictError, InvalidInputError } from '#core/kernel/errors.ts';
import { deciderSpec } from '#tests/support/decider-spec.ts';
import { earlier, ids, jobCommand, jobIn, now } from '#tests/support/job-scenarios.ts';
import { jobDecider } from './decider.ts';
import { disputedMessage, isDisputed } from './dispute.ts';
import type { JobEvent } from './events.ts';

const given = deciderSpec(jobDecider);
const until = '2026-12-24T01:00:00.000Z';
const opened: JobEvent = {
  type: 'JobDisputeOpened',
  data: { ...ids, until, reason: 'Not paid', openedAt: now },
};
const closed: JobEvent = { type: 'JobDisputeClosed', data: { ...ids, closedAt: now } };
const open = (data = {}) => jobCommand('OpenJobDispute', { until, reason: 'Not paid', ...data });
const close = jobCommand('CloseJobDispute', {});
const erased: JobEvent = {
  type: 'JobCustomerErased',
  data: { ...ids, erasureId: 'erasure-1', erasedAt: earlier },
};

describe('a dispute', () => {
  test('is opened, given another end, and closed; each once', () => {
    const job = jobIn('Completed');
    const longer: JobEvent = { ...opened, data: { ...opened.data, until: '2027-03-01T00:00:00.000Z' } };
    given(job).when(open()).then([opened]);
    given([...job, opened])
      .when(open())
      .then([]);
    given([...job, opened])
      .when(open({ until: '2027-03-01T00:00:00.000Z' }))
      .then([longer]);
    given([...job, opened])
      .when(close)
      .then([closed]);
    given([...job, opened, closed])
      .when(close)
      .then([]);
    given([...job, opened, closed])
      .when(open())
      .then([opened]);
  });

  test.each([
    ['now', { until: now }],
    ['more than a year ahead', { until: '2028-01-01T00:00:00.000Z' }],
    ['with more than 300 letters', { reason: 'x'.repeat(301) }],
  ])('is refused %s', (_, data) => {
    given(jobIn('Paid')).when(open(data)).thenThrows(InvalidInputError);
  });

  test('is about a job whose customer is still known', () => {
    given([...jobIn('Paid'), erased])
      .when(open())
      .thenThrows(ConflictError);
  });

  test('keeps what is known of the job until its end, and no longer', () => {
    const dispute = { until, reason: '' };
    expect(isDisputed(dispute, '2026-12-24T00:59:59.000Z')).toBe(true);
    expect(isDisputed(dispute, until)).toBe(false);
    expect(isDisputed(null, now)).toBe(false);
    expect(disputedMessage(dispute)).toBe(
      "There is a dispute about this job: the customer's details stay until 2026-12-24",
    );
  });
});
