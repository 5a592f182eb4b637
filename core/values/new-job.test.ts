import { expect, test } from 'vitest';
import { canCreateJob, newJobProblem, normaliseNewJob, validateNewJob } from './new-job.ts';

const typed = {
  name: '  Moana\tRangi ',
  email: ' Moana@Example.com',
  phone: '0491 570 157',
  address: '7 Weston Street, Brunswick VIC 3056, Australia',
};

test('name, email, phone and address are all that has to be there', () => {
  expect(validateNewJob(typed)).toEqual({});
  expect(Object.keys(validateNewJob({ name: '', email: '', phone: '', address: '' }))).toEqual([
    ...['name', 'email', 'phone', 'address'],
  ]);
});

test.each(['name', 'email', 'phone', 'address'] as const)('the button waits for %s', (field) => {
  expect(canCreateJob(typed)).toBe(true);
  expect(canCreateJob({ ...typed, [field]: ' ' })).toBe(false);
});

test('what cannot be saved is said of every field', () => {
  for (const field of ['name', 'title', 'notes'] as const) {
    expect(newJobProblem(field, 'a\0')).toBe('This text holds a character that cannot be saved');
  }
  expect(newJobProblem('notes', 'x'.repeat(5_000))).toBeNull();
});

test('is kept in one spelling, notes as they are, and named after the customer when nothing else is said', () => {
  expect(normaliseNewJob({ ...typed, notes: ' line\n\tline' })).toEqual({
    ...typed,
    ...{ name: 'Moana Rangi', email: 'moana@example.com', phone: '+61491570157' },
    ...{ title: 'Job for Moana Rangi', notes: ' line\n\tline' },
  });
});
