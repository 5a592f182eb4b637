import { describe, expect, test } from 'vitest';
import { type JobEvent, jobDecider } from '#core/job/job.ts';
import { evolveJobDetails, type JobDetails } from '#core/job/view.ts';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { deciderSpec, ids, jobCommand, jobIn, now } from '#tests/support/scenarios/deciders.ts';
import { photoLimits } from './photo-stages.ts';

const given = deciderSpec(jobDecider);
const stored = { mime: 'image/jpeg', bytes: 300_000, sha256: 'AAAA' } as const;
const said = { photoId: 'photo-1', stage: 'before', caption: 'The old valve' } as const;
const added: JobEvent = { type: 'JobPhotoAdded', data: { ...ids, ...said, ...stored, addedAt: now } };
const removed: JobEvent = { type: 'JobPhotoRemoved', data: { ...ids, photoId: 'photo-1', removedAt: now } };
const working = jobIn('In progress');
const add = jobCommand('AddJobPhoto', { ...said, ...stored });
const remove = jobCommand('RemoveJobPhoto', { photoId: 'photo-1' });
const describeIt = jobCommand('DescribeJobPhoto', { ...said, stage: 'after' });

describe('a photo of the work', () => {
  test('is an event with the hash of its bytes; sent again it is the same photo', () => {
    given(working).when(add).then([added]);
    given([...working, added])
      .when(add)
      .then([]);
  });

  test('gets another stage and caption; the same again changes nothing', () => {
    const described: JobEvent = {
      type: 'JobPhotoDescribed',
      data: { ...ids, ...said, stage: 'after', changedAt: now },
    };
    given([...working, added])
      .when(describeIt)
      .then([described]);
    given([...working, added, described])
      .when(describeIt)
      .then([]);
    given(working).when(describeIt).thenThrows(NotFoundError);
    given([...working, added, removed])
      .when(describeIt)
      .thenThrows(NotFoundError);
  });

  test('is removed once, and can be put back', () => {
    given([...working, added])
      .when(remove)
      .then([removed]);
    given([...working, added, removed])
      .when(remove)
      .then([]);
    given(working).when(remove).thenThrows(NotFoundError);
    given([...working, added, removed])
      .when(add)
      .then([added]);
  });

  test('is one of forty at most; one that was removed makes room', () => {
    const many = Array.from({ length: photoLimits.photos }, (_, n): JobEvent => {
      return {
        type: 'JobPhotoAdded',
        data: { ...added.data, ...said, ...stored, photoId: `p-${n}`, addedAt: now },
      };
    });
    given([...working, ...many])
      .when(add)
      .thenThrows(ConflictError);
    const gone: JobEvent = { type: 'JobPhotoRemoved', data: { ...ids, photoId: 'p-3', removedAt: now } };
    given([...working, ...many, gone])
      .when(add)
      .then([added]);
  });

  test('cannot come to a job whose customer was erased, and goes with the customer', () => {
    const erased: JobEvent = { type: 'JobCustomerErased', data: { ...ids, erasureId: 'e-1', erasedAt: now } };
    for (const command of [add, describeIt, remove])
      given([...working, added, erased])
        .when(command)
        .thenThrows(ConflictError);
    expect(fold(jobDecider, [...working, added, erased])?.photos).toEqual({});
    expect(detailsOf([...working, added, erased])?.media).toEqual([]);
  });

  test('stays through every status, beside the customer’s files', () => {
    for (const status of ['Rejected', 'Unsuccessful', 'Paid'] as const) {
      const [first, ...rest] = jobIn(status);
      if (!first) throw new Error('no events');
      const details = detailsOf([first, added, ...rest]);
      expect(details?.media.filter(({ work }) => work)).toEqual([
        {
          ...{ id: 'photo-1', name: 'before.jpeg', mime: 'image/jpeg', bytes: 300_000 },
          work: { stage: 'before', caption: 'The old valve', addedAt: now },
        },
      ]);
    }
  });
});

function detailsOf(events: readonly JobEvent[]): JobDetails | null {
  return events.reduce<JobDetails | null>(evolveJobDetails, null);
}
