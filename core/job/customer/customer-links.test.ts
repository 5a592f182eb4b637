import { describe, expect, test } from 'vitest';
import { historyEntries } from '#core/job/history.ts';
import { type JobEvent, jobDecider } from '#core/job/job.ts';
import { evolveJobDetails, type JobDetails } from '#core/job/view.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { correctionLength } from '#core/values/job-form.ts';
import { deciderSpec, ids, jobCommand, jobIn, now } from '#tests/support/scenarios/deciders.ts';
import { mostCorrections } from './decide.ts';

const given = deciderSpec(jobDecider);
const correct = (text: string) => jobCommand('AskForCorrection', { text });
const corrected = (text: string): JobEvent => ({
  type: 'CustomerCorrectionAsked',
  data: { ...ids, text, askedAt: now },
});
const remove = jobCommand('AskForRemoval', {});
const removal: JobEvent = { type: 'CustomerRemovalAsked', data: { ...ids, askedAt: now } };
const erasure = { ...ids, erasureId: 'erasure-1' };
const planned: JobEvent = {
  type: 'CustomerErasurePlanned',
  data: { ...erasure, dueAt: now, plannedAt: now },
};
const cancelled: JobEvent = { type: 'CustomerErasureCancelled', data: { ...erasure, cancelledAt: now } };
const erased: JobEvent = { type: 'JobCustomerErased', data: { ...erasure, erasedAt: now } };
const pending = jobIn('Pending');

describe('a correction', () => {
  test('is on record without the spaces around it, and once', () => {
    given(pending)
      .when(correct(' My name is Aroha '))
      .then([corrected('My name is Aroha')]);
    given([...pending, corrected('My name is Aroha'), corrected('Unit 2')])
      .when(correct('My name is Aroha'))
      .then([]);
  });

  test('loses control characters and heaps of marks', () => {
    given(pending)
      .when(correct('\u0007My name\u001b[2J is\r\nAroha\u0301\u0301\u0301\u0301'))
      .then([corrected('My name[2J is\nAroha\u0301\u0301')]);
  });

  test('has a text of at most so many characters', () => {
    given(pending).when(correct(' \n')).thenThrows(InvalidInputError);
    given(pending)
      .when(correct('x'.repeat(correctionLength)))
      .then([corrected('x'.repeat(correctionLength))]);
    given(pending)
      .when(correct('x'.repeat(correctionLength + 1)))
      .thenThrows(InvalidInputError);
  });

  test('is refused once the details are removed or about to be, and after too many', () => {
    given([...pending, planned])
      .when(correct('Unit 2'))
      .thenThrows(ConflictError);
    given([...pending, erased])
      .when(correct('Unit 2'))
      .thenThrows(ConflictError);
    const many = Array.from({ length: mostCorrections }, (_, n) => corrected(`Unit ${n}`));
    given([...pending, ...many])
      .when(correct('Unit 12'))
      .thenThrows(ConflictError);
  });

  test('is answered, once by each answer, and an answer may change', () => {
    const asked = [...pending, corrected('Unit 2')];
    const revision = pending.length;
    const say = (answer: 'agreed' | 'refused', of = revision) =>
      jobCommand('AnswerCorrection', { asked: of, answer });
    const said = (answer: 'agreed' | 'refused'): JobEvent => ({
      type: 'CustomerCorrectionAnswered',
      data: { ...ids, asked: revision, answer, answeredAt: now },
    });
    given(asked)
      .when(say('agreed'))
      .then([said('agreed')]);
    given([...asked, said('agreed')])
      .when(say('agreed'))
      .then([]);
    given([...asked, said('refused')])
      .when(say('agreed'))
      .then([said('agreed')]);
    given(asked)
      .when(say('agreed', revision - 1))
      .thenThrows(NotFoundError);
    given([...asked, erased])
      .when(say('agreed'))
      .thenThrows(ConflictError);
  });

  const details = {
    ...{ name: 'Aroha Tāwhiri', email: 'aroha@example.com', phone: '+61491570156' },
    location: { address: '2 High St', placeId: null, lat: null, lng: null },
  };
  const change = (asked: number, changed: Partial<typeof details> = {}) =>
    jobCommand('CorrectDetails', { asked, ...details, ...changed });
  const changed = (asked: number): JobEvent => ({
    type: 'CustomerDetailsCorrected',
    data: { ...ids, asked, ...details, correctedAt: now },
  });
  const agreed = (asked: number): JobEvent => ({
    type: 'CustomerCorrectionAnswered',
    data: { ...ids, asked, answer: 'agreed', answeredAt: now },
  });

  test('changes the details of a job that was accepted, and is agreed to by that', () => {
    const accepted = [...jobIn('To quote'), corrected('Unit 2')];
    const asked = accepted.length - 1;
    given(accepted)
      .when(change(asked))
      .then([changed(asked), agreed(asked)]);
    const done = [...accepted, changed(asked), agreed(asked)];
    given(done).when(change(asked)).then([]);
    given([...accepted, changed(asked)])
      .when(change(asked))
      .then([agreed(asked)]);
    const other = { ...change(asked, { name: 'Hemi' }) };
    given(done)
      .when(other)
      .then([{ ...changed(asked), data: { ...changed(asked).data, name: 'Hemi' } } as JobEvent]);
    given(done)
      .when(change(asked + 1))
      .thenThrows(NotFoundError);
    given([...done, erased])
      .when(change(asked))
      .thenThrows(ConflictError);
    given([...accepted, planned])
      .when(change(asked))
      .thenThrows(ConflictError);
  });

  test('changes no details that the business does not see', () => {
    given([...pending, corrected('Unit 2')])
      .when(change(pending.length))
      .thenThrows(ConflictError);
  });

  test('shows wherever the job is shown, and not once the customer is erased', () => {
    const accepted = [...jobIn('To quote'), corrected('Unit 2')];
    const fold = (events: readonly JobEvent[]) =>
      events.reduce<JobDetails | null>(evolveJobDetails, null) as JobDetails;
    const after = [...accepted, changed(accepted.length - 1)];
    expect(fold(after)).toMatchObject(details);
    expect(fold([...after, erased])).toMatchObject({
      name: '[erased]',
      email: '[erased]',
      phone: '[erased]',
    });
    expect(fold([...accepted, erased, changed(accepted.length - 1)]).name).toBe('[erased]');
  });

  test('is in the history with its answer, in the words of the customer', () => {
    const answered: JobEvent = {
      type: 'CustomerCorrectionAnswered',
      data: { ...ids, asked: pending.length, answer: 'refused', answeredAt: now },
    };
    const [entry] = historyEntries(
      [...pending, corrected('Unit 2'), answered].map((event, revision) => {
        return { event, revision, at: now, actor: 'account:dave' };
      }),
    );
    expect(entry).toMatchObject({ what: 'correction-refused', to: 'Unit 2' });
  });

  test('is in no history of a job whose customer was erased', () => {
    const events = [...pending, corrected('Marker of Aroha'), erased];
    const entries = historyEntries(
      events.map((event, revision) => ({ event, revision, at: now, actor: 'customer' })),
    );
    expect(entries.find(({ what }) => what === 'correction-asked')).toMatchObject({ to: '[erased]' });
    expect(JSON.stringify(entries)).not.toContain('Marker');
  });
});

describe('a removal', () => {
  const until = '2033-11-03T01:00:00.000Z';
  const keep = (day = until) => jobCommand('RefuseRemoval', { reason: 'guarantee', until: day });
  const kept = (day = until): JobEvent => ({
    type: 'CustomerRemovalRefused',
    data: { ...ids, reason: 'guarantee', until: day, refusedAt: now },
  });
  const paid = jobIn('Paid');

  test('is refused for a reason, once, and then not asked for again before its day', () => {
    given([...paid, removal])
      .when(keep())
      .then([kept()]);
    given([...paid, removal, kept()])
      .when(keep())
      .then([]);
    given([...paid, removal, kept(now)])
      .when(keep(now))
      .then([]);
    given([...paid, removal, kept()])
      .when(remove)
      .thenThrows(ConflictError);
    given([...paid, removal, kept(now)])
      .when(remove)
      .then([removal]);
  });

  test('is not refused where the customer does not ask, nor of a job that was never accepted', () => {
    given(paid).when(keep()).thenThrows(ConflictError);
    given([...pending, removal])
      .when(keep())
      .thenThrows(ConflictError);
    given([...paid, removal, erased])
      .when(keep())
      .thenThrows(ConflictError);
  });

  test('is asked for once, and again after one was taken back', () => {
    given(pending).when(remove).then([removal]);
    given([...pending, removal])
      .when(remove)
      .then([]);
    given([...pending, removal, planned])
      .when(remove)
      .then([]);
    given([...pending, removal, planned, cancelled])
      .when(remove)
      .then([removal]);
  });

  test('changes nothing where the details are removed or about to be', () => {
    given([...pending, planned])
      .when(remove)
      .then([]);
    given([...pending, erased])
      .when(remove)
      .then([]);
  });
});
