import { expect, test } from 'vitest';
import { silence } from './NotificationSettings.tsx';

const on = { jobEnquiries: true, simpleContacts: true, email: true, sms: true };

test('a tradie whom no alert of a new job can reach reads why', () => {
  expect(silence({ ...on, email: false, sms: false })).toMatch(/^With email and SMS off/);
  expect(silence({ ...on, jobEnquiries: false, simpleContacts: false })).toMatch(
    /^With both form alerts off/,
  );
});

test.each([
  {},
  { email: false },
  { sms: false },
  { jobEnquiries: false },
  { simpleContacts: false, email: false },
])('with %j off only, something does reach them', (off) => {
  expect(silence({ ...on, ...off })).toBeNull();
});
