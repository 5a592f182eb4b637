import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotFoundError } from '#core/kernel/errors.ts';
import { contact, jobIn, jobRejected, workOrderReceived } from '#tests/support/scenarios/deciders.ts';
import type { JobEvent } from './job.ts';
import { cardWords } from './request/card-words.ts';
import { hidesContact, jobStatuses, workingStatuses } from './status/statuses.ts';
import { evolveJobDetails, existingJob, type JobDetails, jobCardView, jobView } from './view.ts';

const folded = (events: readonly JobEvent[]) => events.reduce<JobDetails | null>(evolveJobDetails, null);

const detailsIn = (status: (typeof jobStatuses)[number]) => existingJob(folded(jobIn(status)));
const surroundings = {
  mediaUrl: ({ id }: { id: string }) => `/api/media/${id}?exp=1&sig=x`,
  thumbnailUrl: ({ id }: { id: string }) => `/api/media/${id}?exp=1&sig=x&size=thumb`,
  contact: { phone: '1800 975 707', email: 'jobs@ute.example' },
};

const cardOf = (details: JobDetails) =>
  jobCardView({ ...details, ...cardWords(details), pictures: 0, cover: null });

describe('the customer’s email and phone', () => {
  test.each(['Pending', 'Rejected'] as const)('are not even keys of the answer in %s', (status) => {
    for (const view of [jobView(detailsIn(status), surroundings), cardOf(detailsIn(status))]) {
      expect(view).not.toHaveProperty('email');
      expect(view).not.toHaveProperty('phone');
      expect(view.name).toBe(contact.name);
    }
  });

  test.each(workingStatuses)('are shown in %s', (status) => {
    for (const view of [jobView(detailsIn(status), surroundings), cardOf(detailsIn(status))]) {
      expect(view).toMatchObject({ email: contact.email, phone: contact.phone });
    }
  });

  test('hide again when an accepted job could be rejected after all', () => {
    const details = existingJob(folded([...jobIn('To quote'), jobRejected]));
    expect(cardOf(details)).not.toHaveProperty('email');
  });

  test('are nowhere in the text of an answer while they are hidden, whatever they are', () => {
    const marker = fc.uuid().map((id) => `marker-${id}`);
    fc.assert(
      fc.property(marker, marker, fc.constantFrom(...jobStatuses), (email, phone, status) => {
        const details = { ...detailsIn('Pending'), email, phone, status };
        const text = JSON.stringify([jobView(details, surroundings), cardOf(details)]);
        expect(text.includes('marker')).toBe(!hidesContact(status));
      }),
    );
  });
});

test('a consumer job shows its answers as asked, and as details where they fill one', () => {
  const view = jobView(detailsIn('Pending'), surroundings);
  expect(view.form).toHaveLength(2);
  expect(view.workOrderDetails).toBeNull();
  expect(view.consumerJobDetails).toEqual({
    homeType: 'Unit',
    description: 'The hot tap will not close.',
    wishedTime: 'Any morning',
  });
});

test('an answer keeps the words of its question, whatever the form asks today', () => {
  const asked = {
    questionId: 'pets',
    question: 'Do you keep animals?',
    field: 'pets',
    answer: 'Two goats',
  } as const;
  const view = jobView({ ...detailsIn('Pending'), answers: [asked] }, surroundings);
  expect(view.form).toEqual([asked]);
  expect(view.consumerJobDetails).toMatchObject({ pets: 'Two goats' });
});

test('a work order shows its description', () => {
  const view = jobView(existingJob(folded([workOrderReceived])), surroundings);
  expect(view.workOrderDetails).toEqual({
    ...{ description: 'Replace the mixer.', contact: surroundings.contact },
  });
  expect(view.consumerJobDetails).toBeNull();
});

test('a file is shown by a link that is minted for the answer, never by its key', () => {
  const [media] = jobView(detailsIn('Pending'), surroundings).media;
  const url = '/api/media/media-1?exp=1&sig=x';
  expect(media).toEqual({ url, thumb: `${url}&size=thumb`, name: 'mixer.jpg', mime: 'image/jpeg' });
});

test('no answer names the business or holds what only the server needs', () => {
  const view = jobView(detailsIn('Paid'), surroundings);
  expect(view).not.toHaveProperty('businessId');
  expect(view).not.toHaveProperty('answers');
});

test('the revision is that of the last event', () => {
  expect(detailsIn('Pending').revision).toBe(0);
  expect(detailsIn('Paid').revision).toBe(jobIn('Paid').length - 1);
});

test('a stream without a job has no details', () => {
  expect(() => existingJob(null)).toThrow(NotFoundError);
  expect(() => existingJob(folded([jobRejected]))).toThrow(NotFoundError);
});
