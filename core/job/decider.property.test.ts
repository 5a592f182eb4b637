import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import {
  anyJobCommand,
  attempt,
  ids,
  jobAdded,
  jobIn,
  now,
  workOrderReceived,
} from '#tests/support/scenarios/deciders.ts';
import { JobModel, type Outcome } from '#tests/support/scenarios/job-model.ts';
import { type ExistingJob, type JobCommand, type JobEvent, type JobState, jobDecider } from './job.ts';
import { hidesContact, jobStatuses } from './status/statuses.ts';
import { evolveJobDetails, type JobDetails } from './view.ts';

const history = fc.array(anyJobCommand, { maxLength: 25 });
const undo = { ...ids, undone: 1, restoredAt: now };
const said = { photoId: 'photo-1', stage: 'before', caption: 'Old tap' } as const;
const anyEvent: fc.Arbitrary<JobEvent> = fc.constantFrom<JobEvent[]>(
  ...jobStatuses.flatMap(jobIn),
  workOrderReceived,
  jobAdded,
  { type: 'JobNotesChanged', data: { ...ids, notes: 'Key under the mat', changedAt: now } },
  { type: 'JobStatusRestored', data: { ...undo, status: 'Pending' } },
  { type: 'JobScheduleRestored', data: { ...undo, scheduledAt: null } },
  { type: 'JobNotesRestored', data: { ...undo, notes: '' } },
  { type: 'CustomerMessageOpened', data: { ...ids, kind: 'on-my-way', openedAt: now } },
  { type: 'JobRejectionExplained', data: { ...ids, reason: 'too-far', explainedAt: now } },
  { type: 'JobOpened', data: { ...ids, openedAt: now } },
  { type: 'JobNoLongerNeeded', data: { ...ids, saidAt: now } },
  {
    type: 'JobPhotoAdded',
    data: { ...ids, ...said, mime: 'image/webp', bytes: 9, sha256: 'A', addedAt: now },
  },
  { type: 'JobPhotoDescribed', data: { ...ids, ...said, caption: 'New tap', changedAt: now } },
  { type: 'JobPhotoRemoved', data: { ...ids, photoId: 'photo-1', removedAt: now } },
  { type: 'CustomerCorrectionAsked', data: { ...ids, text: 'My name is Aroha', askedAt: now } },
  { type: 'JobDisputeOpened', data: { ...ids, until: now, reason: 'Not paid', openedAt: now } },
  { type: 'JobDisputeClosed', data: { ...ids, closedAt: now } },
  { type: 'CustomerRemovalAsked', data: { ...ids, askedAt: now } },
  { type: 'JobHeld', data: { ...ids, heldFor: 'unchecked', heldAt: now } },
);

test('the decider does what the specification’s prose does, command by command', () => {
  fc.assert(
    fc.property(history, (commands) => {
      const model = new JobModel();
      run(commands, (command, before, outcome, after) => {
        expect(outcome, `${command.type} in ${before?.status}`).toBe(model.run(command));
        const {
          businessId = null,
          status = 'none',
          scheduledAt = null,
          notes = '',
          revision = -1,
        } = after ?? {};
        expect({ businessId, status, scheduledAt, notes, revision }).toEqual({
          ...{ businessId: model.owner, status: model.status },
          ...{ scheduledAt: model.scheduledAt, notes: model.notes, revision: model.steps.length - 1 },
        });
        const photos = Object.values(after?.photos ?? {}).map(({ photoId, stage, caption, isRemoved }) => [
          photoId,
          isRemoved ? null : `${stage} ${caption}`,
        ]);
        expect(Object.fromEntries(photos)).toEqual(model.photos);
      });
    }),
    { numRuns: 1000 },
  );
});

test('an unsuccessful job is never on the schedule; one that waits or was turned down is not worked on', () => {
  fc.assert(
    fc.property(history, (commands) => {
      run(commands, (command, before, outcome, after) => {
        if (after?.status === 'Unsuccessful') expect(after.scheduledAt).toBeNull();
        if (outcome !== 'changed' || !before || !hidesContact(before.status)) return;
        const answers = ['AcceptJob', 'RejectJob', 'ChangeJobNotes', 'ChangeJobStatus'];
        const erasures = ['PlanCustomerErasure', 'CancelCustomerErasure', 'EraseCustomer'];
        expect([
          ...answers,
          ...erasures,
          'ExplainRejection',
          'RemoveJobPhoto',
          'OpenJob',
          'SayJobNoLongerNeeded',
          'AskForCorrection',
          'AnswerCorrection',
          'AskForRemoval',
          'OpenJobDispute',
          'CloseJobDispute',
          'UndoJobChange',
        ]).toContain(command.type);
        if (command.type === 'ChangeJobStatus') expect(before.status).toBe('Rejected');
      });
    }),
  );
});

test('a command that was obeyed has nothing to do when it comes again, but a message is opened each time', () => {
  fc.assert(
    fc.property(history, (commands) => {
      run(commands, (command, _before, outcome, after) => {
        if (outcome === 'refused') return;
        if (outcome === 'changed' && isWhilePending(command)) return;
        const again = jobDecider.decide(command, after);
        expect(again.length > 0).toBe(command.type === 'OpenCustomerMessage');
      });
    }),
  );
});

test('no command of another business changes a job, and every event names its owner', () => {
  fc.assert(
    fc.property(history, (commands) => {
      run(commands, (command, before, outcome, _after, events) => {
        if (before && command.data.businessId !== before.businessId) expect(outcome).toBe('refused');
        for (const { data } of events) {
          expect(data).toMatchObject({
            jobId: ids.jobId,
            businessId: before?.businessId ?? command.data.businessId,
          });
        }
      });
    }),
  );
});

test('any known events in any order fold without an error, and any command after them is decided', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 20 }), anyJobCommand, (events, command) => {
      attempt(jobDecider, command, fold(jobDecider, events));
    }),
  );
});

test('what decisions need and what is shown of a job never disagree', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
      const folded: Partial<ExistingJob> = fold(jobDecider, events) ?? {};
      const {
        address: _address,
        name: _name,
        email: _email,
        phone: _phone,
        contact,
        isOpened,
        isNoLongerNeeded,
        plannedErasure,
        isErased,
        corrections: _corrections,
        isRemovalAsked: _asked,
        dispute: _dispute,
        rejectionReason: _reason,
        changes: _,
        photos = {},
        ...state
      } = folded;
      const shown = events.reduce<JobDetails | null>(evolveJobDetails, null);
      expect({ ...shown }).toMatchObject(state);
      const { address } = shown?.location ?? {};
      if (shown)
        expect({ name: shown.name, email: shown.email, phone: shown.phone, address }).toEqual(contact);
      expect({ isOpened, isNoLongerNeeded }).toEqual({
        isOpened: shown ? shown.openedAt !== null : undefined,
        isNoLongerNeeded: shown ? shown.noLongerNeededAt !== null : undefined,
      });
      const there = Object.values(photos).filter(({ isRemoved }) => !isRemoved);
      const said = ({ photoId: id, mime, bytes, stage, caption, addedAt }: (typeof there)[number]) => ({
        ...{ id, name: `${stage}.webp`, mime, bytes, work: { stage, caption, addedAt } },
      });
      const shownPhotos =
        shown?.media.flatMap((file) => (file.work ? [{ ...file, name: `${file.work.stage}.webp` }] : [])) ??
        [];
      expect(shownPhotos).toEqual(there.map(said));
      expect({ isErased, isPlanned: plannedErasure && true }).toEqual({
        isErased: shown ? shown.erasedAt !== null : undefined,
        isPlanned: shown ? shown.erasureDueAt && true : undefined,
      });
    }),
  );
});

test('folding leaves what it was given untouched', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 10 }), (events) => {
      const before = structuredClone(events);
      fold(jobDecider, events);
      expect(events).toEqual(before);
    }),
  );
});

const isWhilePending = ({ data }: JobCommand) => 'onlyWhilePending' in data && data.onlyWhilePending;

type Step = (
  command: JobCommand,
  before: JobState,
  outcome: Outcome,
  after: JobState,
  events: JobEvent[],
) => void;

/** Decides the commands one after the other and shows each step. */
function run(commands: readonly JobCommand[], step: Step): void {
  let state: JobState = null;
  for (const command of commands) {
    const events: JobEvent[] | null = attempt(jobDecider, command, state);
    const after: JobState = (events ?? []).reduce(jobDecider.evolve, state);
    step(
      command,
      state,
      events === null ? 'refused' : events.length > 0 ? 'changed' : 'same',
      after,
      events ?? [],
    );
    state = after;
  }
}
