import { describe, expect, test } from 'vitest';
import {
  contact,
  earlier,
  ids,
  jobAccepted,
  jobAdded,
  jobIn,
  jobRequested,
  nextMonday,
  workOrderReceived,
} from '#tests/support/scenarios/deciders.ts';
import type { RejectionReason } from './answer/rejection-reasons.ts';
import { type CausedEvent, entryWords, historyEntries } from './history.ts';
import type { JobEvent } from './job.ts';

const caused = (events: (JobEvent | undefined)[]): CausedEvent[] =>
  events.map((event, revision) => ({ event, revision, at: earlier, actor: 'account:a' }));
const words = (...events: (JobEvent | undefined)[]) =>
  historyEntries(caused(events)).map((entry) => entryWords(entry, 'Dave', 'Australia/Melbourne'));

const at = (scheduledAt: string | null): JobEvent => ({
  type: 'JobScheduled',
  data: { ...ids, scheduledAt, changedAt: earlier },
});
const noted = (notes: string): JobEvent => ({
  type: 'JobNotesChanged',
  data: { ...ids, notes, changedAt: earlier },
});

describe('the history of a job, newest first', () => {
  test('has who did what, from what to what', () => {
    expect(words(...jobIn('Unsuccessful'))).toEqual([
      'Dave took the job off the schedule, it was Mon, 09 Nov 2026 9:30AM',
      'Dave changed the status from To quote to Unsuccessful',
      'Dave scheduled the job for Mon, 09 Nov 2026 9:30AM',
      'Dave accepted the job',
      'Dave asked for this job, with 1 photo',
    ]);
  });

  test('has of notes and of moving', () => {
    expect(words(jobAdded, noted('a'), noted(''), noted('b'), at('2026-11-30T22:30:00.000Z'))).toEqual([
      'Dave moved the job from Mon, 09 Nov 2026 9:30AM to Tue, 01 Dec 2026 9:30AM',
      'Dave wrote notes',
      'Dave cleared the notes',
      'Dave changed the notes',
      'Dave added this job',
    ]);
  });

  test('has how many pictures came with a request; other files are none', () => {
    const file = (id: string, mime: string) => ({ id, name: id, bytes: 1, mime });
    const requested = (...mimes: string[]) =>
      ({
        ...jobRequested,
        data: { ...jobRequested.data, media: mimes.map((mime, n) => file(`f${n}`, mime)) },
      }) as JobEvent;
    expect(words(requested('image/png', 'image/jpeg', 'application/pdf'))).toEqual([
      'Dave asked for this job, with 2 photos',
    ]);
    expect(words(requested('application/pdf'))).toEqual(['Dave asked for this job']);
  });

  test('has what was taken back', () => {
    const restored: JobEvent = {
      type: 'JobStatusRestored',
      data: { ...ids, status: 'Pending', undone: 1, restoredAt: earlier },
    };
    expect(historyEntries(caused([jobRequested, jobAccepted, restored]))[0]).toEqual({
      ...{ what: 'status', from: 'To quote', to: 'Pending', undo: true },
      ...{ revision: 2, at: earlier, actor: 'account:a' },
    });
    expect(words(jobRequested, jobAccepted, restored)).toEqual([
      'Dave undid a change: changed the status from To quote to Pending',
      'Dave saw the contact details while the job was accepted',
      'Dave accepted the job',
      'Dave asked for this job, with 1 photo',
    ]);
    const paid: JobEvent = {
      type: 'JobStatusRestored',
      data: { ...ids, status: 'To quote', undone: 3, restoredAt: earlier },
    };
    expect(words(...jobIn('Unsuccessful'), paid)[0]).toBe(
      'Dave undid a change: changed the status from Unsuccessful to To quote',
    );
  });

  test('has of a message that was opened, a work order, and what cannot be read', () => {
    const opened: JobEvent = {
      type: 'CustomerMessageOpened',
      data: { ...ids, kind: 'on-my-way', openedAt: earlier },
    };
    expect(words(workOrderReceived, undefined, opened)).toEqual([
      'Dave opened a message: On my way',
      'Dave did something that cannot be read',
      'Dave sent this work order',
    ]);
  });

  test('has why a job was rejected, in the words of the button, and not once the customer was erased', () => {
    const explained = (reason: RejectionReason): JobEvent => ({
      ...{ type: 'JobRejectionExplained', data: { ...ids, reason, explainedAt: earlier } },
    });
    const history = [...jobIn('Rejected'), explained('not-my-trade'), explained('none')];
    expect(words(...history).slice(0, 3)).toEqual([
      'Dave did not say why the job was rejected',
      'Dave said why the job was rejected: not my trade',
      'Dave rejected the job',
    ]);
    const erased: JobEvent = {
      ...{ type: 'JobCustomerErased', data: { ...ids, erasureId: 'erasure-1', erasedAt: earlier } },
    };
    expect(words(...history, erased).slice(1, 3)).toEqual([
      'Dave said why the job was rejected',
      'Dave said why the job was rejected',
    ]);
  });

  test('has who looked, and that the customer needs it no more', () => {
    const opened: JobEvent = { type: 'JobOpened', data: { ...ids, openedAt: earlier } };
    const notNeeded: JobEvent = { type: 'JobNoLongerNeeded', data: { ...ids, saidAt: earlier } };
    expect(words(jobRequested, opened, notNeeded)).toEqual([
      'Dave said that this job is no longer needed',
      'Dave opened the job',
      'Dave asked for this job, with 1 photo',
    ]);
  });

  test('never holds an email or a phone', () => {
    const text = JSON.stringify(
      historyEntries(caused([...jobIn('Paid'), at(nextMonday), noted('Ring first')])),
    );
    expect(text).not.toContain(contact.email);
    expect(text).not.toContain(contact.phone);
  });
});
