import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  canCreateJob,
  isJobReference,
  type JobRequestField,
  jobReference,
  jobRequestLengths,
  malformedMessage,
  newJobProblem,
  normaliseJobRequest,
  normaliseNewJob,
  notPlainTextMessage,
  problemOf,
  readJobReference,
  validateJobRequest,
  validateNewJob,
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
  expect(validateJobRequest(good, 'au')).toEqual({});
  expect(validateJobRequest({ ...good, description: '', wishedTime: ' ' }, 'au')).toEqual({});
  expect(validateJobRequest({ ...good, phone: '021 123 456', description: 'Two\nlines' }, 'nz')).toEqual({});
});

test('an empty request says what every required field needs', () => {
  const empty = { name: '', email: ' ', phone: '', address: '\n', title: '' };
  expect(validateJobRequest(empty, 'au')).toEqual({
    name: 'Full name is required',
    email: 'Enter a valid email address',
    phone: 'Enter an Australian or New Zealand mobile number',
    address: 'Job address is required',
    title: 'Say in a few words what needs fixing',
  });
});

test.each(fields)('%s is measured, and refused when it cannot be stored', (field) => {
  const limit = jobRequestLengths[field];
  expect(problemOf(field, 'x'.repeat(limit + 1), 'au')).toBe(`Use at most ${limit} characters`);
  expect(problemOf(field, `${good.name}\0`, 'au')).toBe(notPlainTextMessage);
  expect(problemOf(field, '\uD800', 'au')).toBe(notPlainTextMessage);
});

test.each(['name', 'address', 'title', 'description', 'wishedTime'] as const)(
  '%s may fill its limit',
  (field) => {
    expect(problemOf(field, ` ${'x'.repeat(jobRequestLengths[field])} `, 'au')).toBeNull();
  },
);

test('email and phone follow their rules', () => {
  expect(problemOf('email', ' Aroha@Example.com ', 'au')).toBeNull();
  expect(problemOf('email', 'aroha@example', 'au')).toBe('Enter a valid email address');
  expect(problemOf('phone', '03 9123 4567', 'au')).toBe('Enter an Australian or New Zealand mobile number');
  for (const way of ['', 'phone', 'sms', 'email']) expect(problemOf('reachBy', way, 'au')).toBeNull();
  expect(problemOf('reachBy', 'toString', 'au')).toBe(malformedMessage);
});

test('a request is stored in one spelling', () => {
  const typed = { ...good, name: ' Aroha\r\n Tāwhiri', email: ' Aroha@Example.COM', description: ' a\nb ' };
  expect(normaliseJobRequest(typed, 'au')).toEqual({
    ...good,
    phone: '+61491570156',
    description: 'a\nb',
    wishedTime: '',
    reachBy: '',
  });
  expect(normaliseJobRequest({ ...good, reachBy: ' sms ' }, 'au').reachBy).toBe('sms');
});

test('the stored spelling is valid and stays as it is', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(text, text, text, text, (name, address, title, description) => {
      const values = { ...good, name, address, title, description };
      fc.pre(Object.keys(validateJobRequest(values, 'au')).length === 0);
      const stored = normaliseJobRequest(values, 'au');
      expect(validateJobRequest(stored, 'au')).toEqual({});
      expect(normaliseJobRequest(stored, 'au')).toEqual(stored);
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

test.each([
  ['a1b2c3', 'A1B2C3'],
  [' #A1B-2C3 ', 'A1B2C3'],
  ['a1b 2c3', 'A1B2C3'],
  ['oi1L0z', '01110Z'],
  ['A1B2C', null],
  ['A1B2C3D', null],
  ['A1B2CU', null],
  ['', null],
])('a person may write a reference as %s', (typed, reference) => {
  expect(readJobReference(typed)).toBe(reference);
});

test('anything else is no reference', () => {
  for (const text of ['', 'ABCDE', 'ABCDEFG', 'abcdef', 'ABCDEI', '<b>abc'])
    expect(isJobReference(text)).toBe(false);
});

const typed = {
  name: '  Moana\tRangi ',
  email: ' Moana@Example.com',
  phone: '0491 570 157',
  address: '7 Weston Street, Brunswick VIC 3056, Australia',
};

test('name, email, phone and address are all that has to be there', () => {
  expect(validateNewJob(typed, 'au')).toEqual({});
  expect(Object.keys(validateNewJob({ name: '', email: '', phone: '', address: '' }, 'au'))).toEqual([
    ...['name', 'email', 'phone', 'address'],
  ]);
});

test.each(['name', 'email', 'phone', 'address'] as const)('the button waits for %s', (field) => {
  expect(canCreateJob(typed, 'au')).toBe(true);
  expect(canCreateJob({ ...typed, [field]: ' ' }, 'au')).toBe(false);
});

test('what cannot be saved is said of every field', () => {
  for (const field of ['name', 'title', 'notes'] as const) {
    expect(newJobProblem(field, 'a\0', 'au')).toBe('This text holds a character that cannot be saved');
  }
  expect(newJobProblem('notes', 'x'.repeat(5_000), 'au')).toBeNull();
});

test('is stored in one spelling, notes as they are, and named after the customer when nothing else is said', () => {
  expect(normaliseNewJob({ ...typed, notes: ' line\n\tline' }, 'au')).toEqual({
    ...typed,
    ...{ name: 'Moana Rangi', email: 'moana@example.com', phone: '+61491570157' },
    ...{ title: 'Job for Moana Rangi', notes: ' line\n\tline' },
  });
});
