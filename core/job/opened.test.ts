import { test } from 'vitest';
import { NotFoundError } from '#core/kernel/errors.ts';
import { deciderSpec } from '#tests/support/decider-spec.ts';
import { earlier, ids, jobCommand, jobIn, now } from '#tests/support/job-scenarios.ts';
import { jobDecider } from './decider.ts';
import type { JobEvent } from './events.ts';

const given = deciderSpec(jobDecider);
const opened: JobEvent = { type: 'JobOpened', data: { ...ids, openedAt: now } };
const notNeeded: JobEvent = { type: 'JobNoLongerNeeded', data: { ...ids, saidAt: now } };

test('the first look at a job that waits is a fact, later ones are not', () => {
  given(jobIn('Pending')).when(jobCommand('OpenJob', {})).then([opened]);
  given([...jobIn('Pending'), { ...opened, data: { ...ids, openedAt: earlier } }])
    .when(jobCommand('OpenJob', {}))
    .then([]);
});

test('looking at a job that was answered is none', () => {
  given(jobIn('To quote')).when(jobCommand('OpenJob', {})).then([]);
  given(jobIn('Rejected')).when(jobCommand('OpenJob', {})).then([]);
});

test('a job that was answered has been looked at, also once the answer is taken back', () => {
  const undone: JobEvent = {
    type: 'JobStatusRestored',
    data: { ...ids, status: 'Pending', undone: 1, restoredAt: now },
  };
  given([...jobIn('Rejected'), undone])
    .when(jobCommand('OpenJob', {}))
    .then([]);
});

test('a customer says once that a job is no longer needed, whatever has become of it', () => {
  given(jobIn('Pending')).when(jobCommand('SayJobNoLongerNeeded', {})).then([notNeeded]);
  given(jobIn('In progress')).when(jobCommand('SayJobNoLongerNeeded', {})).then([notNeeded]);
  given([...jobIn('Pending'), notNeeded])
    .when(jobCommand('SayJobNoLongerNeeded', {}))
    .then([]);
});

test('nobody opens or calls off a job that is not there', () => {
  given([]).when(jobCommand('OpenJob', {})).thenThrows(NotFoundError);
  given([]).when(jobCommand('SayJobNoLongerNeeded', {})).thenThrows(NotFoundError);
});
