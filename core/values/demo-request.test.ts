import { expect, test } from 'vitest';
import { type DemoRequestField, normaliseDemoRequest, validateDemoRequest } from './demo-request.ts';

const typed = {
  ...{ name: ' Aroha  Tāwhiri ', businessName: 'Tāwhiri\nPlumbing', phone: '021 555 0123' },
  ...{ email: 'Aroha@Tawhiri.example ', reachTime: 'lunch' },
};

test('a whole request has no problems, and is stored tidily', () => {
  expect(validateDemoRequest(typed)).toEqual({});
  expect(normaliseDemoRequest(typed)).toEqual({
    ...{ name: 'Aroha Tāwhiri', businessName: 'Tāwhiri Plumbing', phone: '+64215550123' },
    ...{ email: 'aroha@tawhiri.example', reachTime: 'lunch' },
  });
});

test.each<[DemoRequestField, string, string]>([
  ['name', '  ', 'Full name is required'],
  ['name', 'x'.repeat(101), 'Use at most 100 characters'],
  ['name', 'a\0b', 'This text holds a character that cannot be saved'],
  ['businessName', '', 'Business name is required'],
  ['phone', '03 9555 0123', 'Enter an Australian or New Zealand mobile number'],
  ['email', 'aroha@', 'Enter a valid email address'],
  ['email', 'a@b.example\r\nBcc: c@d.example', 'Enter a valid email address'],
  ['reachTime', 'midnight', 'Choose when we may reach you'],
  ['reachTime', '', 'Choose when we may reach you'],
])('%s of %j is put right: %s', (field, text, message) => {
  expect(validateDemoRequest({ ...typed, [field]: text })).toEqual({ [field]: message });
});
