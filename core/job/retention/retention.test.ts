import { describe, expect, test } from 'vitest';
import { historyEntries } from '#core/job/history.ts';
import { type JobEvent, jobDecider } from '#core/job/job.ts';
import { cardWords } from '#core/job/request/card-words.ts';
import { evolveJobDetails, existingJob, jobCardView, jobView } from '#core/job/view.ts';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { isRetentionPeriod } from '#core/values/stored-details.ts';
import {
  deciderSpec,
  earlier,
  ids,
  jobAdded,
  jobByHand,
  jobCommand,
  jobIn,
  jobRequested,
  nextMonday,
  now,
  requestOfJob,
} from '#tests/support/scenarios/deciders.ts';
import { erasedMessage } from './decide.ts';
import { disputedMessage, isDisputed } from './dispute.ts';
import { retainedUntil, retentionEnd, retentionRule } from './periods.ts';

test.each([
  ['never-accepted', '2027-03-15T04:05:06.000Z', '2026-03-15T04:05:06.000Z'],
  ['worked-on', '2033-03-15T04:05:06.000Z', '2026-03-15T04:05:06.000Z'],
  ['never-accepted', '2028-02-29T23:59:59.000Z', '2027-02-28T23:59:59.000Z'],
  ['worked-on', '2027-12-31T00:00:00.000Z', '2020-12-31T00:00:00.000Z'],
] as const)('%s: on %s it is over for what was last changed before %s', (rule, now, end) => {
  expect(retentionEnd(rule, new Date(now), 7).toISOString()).toBe(end);
});

test.each([
  ['never-accepted', '2026-03-15T04:05:06.000Z', '2027-03-15T04:05:06.000Z'],
  ['worked-on', '2026-03-15T04:05:06.000Z', '2033-03-15T04:05:06.000Z'],
  ['never-accepted', '2028-02-29T23:59:59.000Z', '2029-02-28T23:59:59.000Z'],
] as const)('%s: what was last changed on %s is stored until %s', (rule, last, until) => {
  expect(retainedUntil(rule, new Date(last), 7).toISOString()).toBe(until);
});

test.each([
  ['Pending', 'never-accepted'],
  ['Rejected', 'never-accepted'],
  ['To quote', 'worked-on'],
  ['Paid', 'worked-on'],
  ['Unsuccessful', 'worked-on'],
] as const)('a job that is %s falls under %s', (status, rule) => {
  expect(retentionRule(status)).toBe(rule);
});

test('a business chooses how long the details of worked on jobs are stored, and of no others', () => {
  const last = new Date('2026-03-15T04:05:06.000Z');
  expect(retainedUntil('worked-on', last, 5).toISOString()).toBe('2031-03-15T04:05:06.000Z');
  expect(retainedUntil('never-accepted', last, 10).toISOString()).toBe('2027-03-15T04:05:06.000Z');
  expect([4, 5, 7.5, 10, 11, Number.NaN].filter(isRetentionPeriod)).toEqual([5, 10]);
});

const given = deciderSpec(jobDecider);
const erasure = { ...ids, erasureId: 'erasure-1' } as const;
const dueAt = '2026-11-10T01:00:00.000Z';

const planned: JobEvent = {
  type: 'CustomerErasurePlanned',
  data: { ...erasure, dueAt, plannedAt: earlier },
};
const cancelled: JobEvent = { type: 'CustomerErasureCancelled', data: { ...erasure, cancelledAt: earlier } };
const erased: JobEvent = { type: 'JobCustomerErased', data: { ...erasure, erasedAt: earlier } };
const noted: JobEvent = { type: 'JobNotesChanged', data: { ...ids, notes: 'Dog', changedAt: earlier } };

const plan = jobCommand('PlanCustomerErasure', { erasureId: 'erasure-1', dueAt });
const cancel = jobCommand('CancelCustomerErasure', { erasureId: 'erasure-1' });
const erase = jobCommand('EraseCustomer', { erasureId: 'erasure-1' });

const surroundings = { mediaUrl: () => 'url', thumbnailUrl: () => 'url', contact: null };
const viewOf = (history: readonly JobEvent[]) =>
  jobView(existingJob(history.reduce(evolveJobDetails, null)), surroundings);

describe('while an erasure is planned', () => {
  const history = [...jobIn('In progress'), planned];

  test('it is planned once, and a second one changes nothing', () => {
    given(jobIn('In progress'))
      .when(plan)
      .then([{ type: 'CustomerErasurePlanned', data: { ...erasure, dueAt, plannedAt: now } }]);
    given(history).when(plan).then([]);
    given(history)
      .when(jobCommand('PlanCustomerErasure', { erasureId: 'erasure-2', dueAt }))
      .then([]);
  });

  test('the contact is withheld as of a job that waits, and no message is opened', () => {
    const shown = viewOf([...jobIn('In progress'), planned]);
    expect(shown).not.toHaveProperty('email');
    expect(shown).not.toHaveProperty('phone');
    expect(shown).toMatchObject({ name: requestOfJob.name, erasureDueAt: dueAt });
    const [first, ...others] = jobIn('In progress');
    const title = 'Ring 0491 570 156';
    const renamed = { ...first, data: { ...first?.data, title } } as JobEvent;
    expect(viewOf([renamed, ...others, planned])).toHaveProperty('title', 'Ring (withheld)');
    given(history)
      .when(jobCommand('OpenCustomerMessage', { kind: 'on-my-way' }))
      .thenThrows(ConflictError);
  });

  test('it can be taken back, by its own id alone', () => {
    given(history)
      .when(jobCommand('CancelCustomerErasure', { erasureId: 'erasure-2' }))
      .then([]);
    given(history)
      .when(cancel)
      .then([{ type: 'CustomerErasureCancelled', data: { ...erasure, cancelledAt: now } }]);
    expect(viewOf([...history, cancelled])).toMatchObject({ email: requestOfJob.email });
    expect(viewOf([...history, cancelled])).not.toHaveProperty('erasureDueAt');
    given([...history, cancelled])
      .when(cancel)
      .then([]);
  });
});

describe('once the customer is erased', () => {
  const history = [...jobIn('In progress'), noted, planned, erased];

  test('it happens once, planned or not', () => {
    const events: JobEvent[] = [{ type: 'JobCustomerErased', data: { ...erasure, erasedAt: now } }];
    given(jobIn('Pending')).when(erase).then(events);
    given([...jobIn('Paid'), planned])
      .when(erase)
      .then(events);
    given(history).when(erase).then([]);
    given(history).when(plan).then([]);
    given(history).when(cancel).then([]);
  });

  test.each([
    ['notes', jobCommand('ChangeJobNotes', { notes: 'New' })],
    ['the same notes', jobCommand('ChangeJobNotes', { notes: '[erased]' })],
    ['a message', jobCommand('OpenCustomerMessage', { kind: 'on-my-way' })],
    ['notes that come back', jobCommand('UndoJobChange', { first: 4, last: 4 })],
    ['the request once more', { type: 'RequestJob', at: now, data: requestOfJob }],
  ] as const)('%s is refused in words', (_, command) => {
    expect(() => given(history).when(command).decide()).toThrow(new ConflictError(erasedMessage));
  });

  test('a job typed in by hand is not made again either', () => {
    given([jobAdded, erased]).when({ type: 'AddJob', at: now, data: jobByHand }).thenThrows(ConflictError);
  });

  test('status and schedule still change, and can be taken back', () => {
    const paid = { type: 'JobStatusChanged', data: { ...ids, status: 'Paid', changedAt: now } } as const;
    given(history)
      .when(jobCommand('ChangeJobStatus', { status: 'Paid' }))
      .then([paid]);
    given(history)
      .when(jobCommand('ScheduleJob', { scheduledAt: null }))
      .then([{ type: 'JobScheduled', data: { ...ids, scheduledAt: null, changedAt: now } }]);
    given([...history, paid])
      .when(jobCommand('UndoJobChange', { first: 7, last: 7 }))
      .then([
        { type: 'JobStatusRestored', data: { ...ids, undone: 7, restoredAt: now, status: 'In progress' } },
      ]);
  });

  test('for another business the job is not there', () => {
    given(history)
      .when({ ...erase, data: { ...erasure, businessId: 'rival' } } as typeof erase)
      .thenThrows(NotFoundError);
  });

  test('no answer holds a text of the customer or about them', () => {
    const details = existingJob(history.reduce(evolveJobDetails, null));
    const [card, view] = [
      jobCardView({ ...details, ...cardWords(details), pictures: 0, cover: null }),
      viewOf(history),
    ];
    const texts = [requestOfJob.name, requestOfJob.email, requestOfJob.phone, requestOfJob.title];
    const more = [requestOfJob.location.address, requestOfJob.description, requestOfJob.wishedTime, 'Dog'];
    for (const text of [...texts, ...more, 'Unit', 'mixer.jpg', '[erased]']) {
      expect(JSON.stringify([card, view])).not.toContain(text);
    }
    expect(view).toMatchObject({
      ...{ name: 'Removed customer', title: 'Removed job', erasedAt: earlier },
      ...{ status: 'In progress', scheduledAt: nextMonday, notes: '', media: [], form: [] },
    });
  });

  test('the history names the erasure, and the notes no more', () => {
    const caused = history.map((event, revision) => ({ event, revision, at: now, actor: 'system' }));
    const entries = historyEntries(caused);
    expect(entries.map(({ what }) => what).slice(0, 3)).toEqual(['erased', 'erasure-planned', 'notes']);
    expect(JSON.stringify(entries)).not.toContain('Dog');
  });

  test('decisions are the same with the key as without it', () => {
    const read = (event: JobEvent): JobEvent =>
      event.type === 'JobNotesChanged' ? { ...event, data: { ...event.data, notes: '[erased]' } } : event;
    const { changes: _, ...state } = fold(jobDecider, history) ?? { changes: null };
    const { changes: __, ...without } = fold(jobDecider, history.map(read)) ?? { changes: null };
    expect(without).toEqual(state);
    expect(JSON.stringify(state)).not.toContain(jobRequested.data.name);
  });
});

const until = '2026-12-24T01:00:00.000Z';
const opened: JobEvent = {
  type: 'JobDisputeOpened',
  data: { ...ids, until, reason: 'Not paid', openedAt: now },
};
const closed: JobEvent = { type: 'JobDisputeClosed', data: { ...ids, closedAt: now } };
const open = (data = {}) => jobCommand('OpenJobDispute', { until, reason: 'Not paid', ...data });
const close = jobCommand('CloseJobDispute', {});
const erasedJob: JobEvent = {
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
    given([...jobIn('Paid'), erasedJob])
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
