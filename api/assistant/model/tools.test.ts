import { expect, test } from 'vitest';
import type { Clock } from '#api/assistant/assistant.ts';
import type { Answer } from '#core/job/request/events.ts';
import type { JobView } from '#core/job/view.ts';
import { wholeFacts } from './tools.ts';

const clock: Clock = { now: new Date('2026-11-19T22:30:00Z'), timeZone: 'Pacific/Auckland', region: 'nz' };
const job = (form: readonly Answer[]): JobView => ({
  ...{ id: 'j1', type: 'Consumer', status: 'Pending', title: 'Leaking tap', isUrgent: false, name: 'Aroha' },
  ...{ scheduledAt: null, createdAt: '2026-11-18T00:00:00.000Z', noLongerNeededAt: null, heldFor: null },
  ...{ notes: '', media: [], photos: [], pictures: 0, form, workOrderDetails: null, revision: 0 },
  location: { address: '1 Quay St, Auckland', placeId: null, lat: null, lng: null },
  consumerJobDetails: { description: '', wishedTime: '' },
});

test('a model reads a budget as the page shows it, and other numbers as they were typed', () => {
  const { answers } = wholeFacts(
    job([
      { questionId: 'budget', question: 'What is your budget?', field: 'budget', answer: '1500' },
      { questionId: 'bedrooms', question: 'How many bedrooms?', field: 'bedrooms', answer: '3' },
    ]),
    clock,
  );
  expect(answers.map(({ answer }) => answer)).toEqual(['$1,500', '3']);
});

test('a model reads a number as it is shown, and that a withheld one is', () => {
  expect(wholeFacts({ ...job([]), phone: '+61491570156' }, clock).phone).toBe('+61 491 570 156');
  expect(wholeFacts(job([]), clock).phone).toBe('withheld until the job is accepted');
});
