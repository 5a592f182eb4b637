import { type } from 'arktype';
import { describe, expect, test } from 'vitest';
import { validateJobRequest } from '#core/values/job-form.ts';
import { JobRequest } from './job-request.ts';

const good = {
  name: 'Aroha Tāwhiri',
  email: 'aroha@example.com',
  phone: '0491 570 156',
  address: '22/140 Lygon St, Brunswick East VIC 3057',
  title: 'Leaking shower',
};
const malformed = 'This is not what the form expects here';

function problems(body: unknown): Record<string, string> {
  const result = JobRequest(body);
  if (!(result instanceof type.errors)) return {};
  return Object.fromEntries(result.map(({ path, message }) => [path.join('.'), message]));
}

test('a request passes with the fields that a form must have, and with all of them', () => {
  expect(JobRequest(good)).toEqual(good);
  const full = {
    ...good,
    ...{ description: 'The hot tap will not close.', wishedTime: 'Any morning', isUrgent: true, website: '' },
    ...{ placeId: 'place-1', lat: -37.77, lng: 144.97 },
    answers: [{ questionId: 'pets', answer: 'No' }],
  };
  expect(JobRequest(full)).toEqual(full);
});

test('the server says the words that the browser says', () => {
  const bad = { ...good, name: '', email: 'nobody', phone: '000', title: 'x'.repeat(101) };
  expect(problems(bad)).toEqual(validateJobRequest(bad, null));
});

describe('what a customer does not own is refused', () => {
  test.each([
    'id',
    'jobId',
    'businessId',
    'status',
    'type',
    'scheduledAt',
    'notes',
    'createdAt',
    'media',
    'revision',
  ])('%s', (field) => {
    expect(problems({ ...good, [field]: 'Paid' })).toEqual({ [field]: malformed });
  });

  test('a prototype', () => {
    expect(
      JobRequest(JSON.parse(JSON.stringify(good).replace('{', '{"__proto__":{"status":"Paid"},'))),
    ).toBeInstanceOf(type.errors);
  });

  test('a field inside an answer', () => {
    const answers = [{ questionId: 'pets', answer: 'No', field: 'budget' }];
    expect(problems({ ...good, answers })).toEqual({ 'answers.0.field': malformed });
  });
});

describe('no message repeats what was sent', () => {
  const marker = 'hunter2-marker';
  test.each([
    { ...good, name: { marker } },
    { ...good, isUrgent: marker },
    { ...good, lat: marker },
    { ...good, lat: 91 },
    { ...good, answers: marker },
    { ...good, answers: [marker] },
    { ...good, answers: [{ questionId: '', answer: marker }] },
    { ...good, answers: [{ questionId: 'pets', answer: `${marker}\0` }] },
    { ...good, answers: [{ questionId: 'pets', answer: marker.repeat(100) }] },
    { ...good, answers: Array.from({ length: 61 }, () => ({ questionId: 'pets', answer: marker })) },
    { ...good, website: marker.repeat(100) },
    { ...good, email: marker },
    marker,
    null,
    [],
  ])('case %#', (body) => {
    const messages = Object.values(problems(body));
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) expect(message).not.toMatch(/hunter2|91|\(was/);
  });
});
