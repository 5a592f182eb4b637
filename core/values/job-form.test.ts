import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isJobReference,
  type JobRequestField,
  jobReference,
  jobRequestLengths,
  malformedMessage,
  normaliseJobRequest,
  notPlainTextMessage,
  problemOf,
  validateJobRequest,
} from './job-form.ts';

const good = {
  name: 'Aroha Tāwhiri',
  email: 'aroha@example.com',
  phone: '0491 570 156',
  address: '22/140 Lygon St, Brunswick East VIC 3057',
  title: 'Leaking shower',
};
const fields = Object.keys(jobRequestLengths) as JobRequestField[];

test('a good request has no problems, with or without the optional fields', () => {
  expect(validateJobRequest(good)).toEqual({});
  expect(validateJobRequest({ ...good, description: '', wishedTime: ' ' })).toEqual({});
  expect(validateJobRequest({ ...good, phone: '021 123 456', description: 'Two\nlines' })).toEqual({});
});

test('an empty request says what every required field needs', () => {
  const empty = { name: '', email: ' ', phone: '', address: '\n', title: '' };
  expect(validateJobRequest(empty)).toEqual({
    name: 'Full name is required',
    email: 'Enter a valid email address',
    phone: 'Enter an Australian or New Zealand mobile number',
    address: 'Job address is required',
    title: 'Say in a few words what needs fixing',
  });
});

test.each(fields)('%s is measured, and refused when it cannot be stored', (field) => {
  const limit = jobRequestLengths[field];
  expect(problemOf(field, 'x'.repeat(limit + 1))).toBe(`Use at most ${limit} characters`);
  expect(problemOf(field, `${good.name}\0`)).toBe(notPlainTextMessage);
  expect(problemOf(field, '\uD800')).toBe(notPlainTextMessage);
});

test.each(['name', 'address', 'title', 'description', 'wishedTime'] as const)(
  '%s may fill its limit',
  (field) => {
    expect(problemOf(field, ` ${'x'.repeat(jobRequestLengths[field])} `)).toBeNull();
  },
);

test('email and phone follow their rules', () => {
  expect(problemOf('email', ' Aroha@Example.com ')).toBeNull();
  expect(problemOf('email', 'aroha@example')).toBe('Enter a valid email address');
  expect(problemOf('phone', '03 9123 4567')).toBe('Enter an Australian or New Zealand mobile number');
  for (const way of ['', 'phone', 'sms', 'email']) expect(problemOf('reachBy', way)).toBeNull();
  expect(problemOf('reachBy', 'toString')).toBe(malformedMessage);
});

test('a request is stored in one spelling', () => {
  const typed = { ...good, name: ' Aroha\r\n Tāwhiri', email: ' Aroha@Example.COM', description: ' a\nb ' };
  expect(normaliseJobRequest(typed)).toEqual({
    ...good,
    phone: '+61491570156',
    description: 'a\nb',
    wishedTime: '',
    reachBy: '',
  });
  expect(normaliseJobRequest({ ...good, reachBy: ' sms ' }).reachBy).toBe('sms');
});

test('the stored spelling is valid and stays as it is', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(text, text, text, text, (name, address, title, description) => {
      const values = { ...good, name, address, title, description };
      fc.pre(Object.keys(validateJobRequest(values)).length === 0);
      const stored = normaliseJobRequest(values);
      expect(validateJobRequest(stored)).toEqual({});
      expect(normaliseJobRequest(stored)).toEqual(stored);
    }),
  );
});

test('a reference is six characters that are not misheard for others', () => {
  expect(jobReference('0198c0de-0000-7000-8000-000000000000')).toBe('000000');
  expect(jobReference('0198c0de-0000-7000-8000-00003fffffff')).toBe('ZZZZZZ');
  fc.assert(fc.property(fc.uuid(), (id) => isJobReference(jobReference(id))));
});

test('jobs of one moment have references of their own', () => {
  const references = new Set(Array.from({ length: 200 }, () => jobReference(crypto.randomUUID())));
  expect(references.size).toBeGreaterThan(195);
});

test('anything else is no reference', () => {
  for (const text of ['', 'ABCDE', 'ABCDEFG', 'abcdef', 'ABCDEI', '<b>abc'])
    expect(isJobReference(text)).toBe(false);
});
