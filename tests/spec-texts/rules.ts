import { section } from './section.ts';

const PASSWORD = 'core/values/account.test.ts';
const SLUG = 'core/values/slug.test.ts';
const RESET = 'tests/browser/password-reset.e2e.ts';

/** Section 5: what is checked, and the words it is refused with. */
export const ruleTexts = [
  ...section('5 Password', [
    ['Your password needs to be at least 12 characters long.', PASSWORD],
    ['Add an uppercase letter', PASSWORD],
    ['Add an lowercase letter', PASSWORD],
    ['Add a number', PASSWORD],
    ['Add a special character', PASSWORD],
    ['Passwords do not match', RESET],
    ['Missing reset data', RESET],
  ]),
  ...section('5 Slug', [['Sorry, that URL is not available', SLUG]]),
  ...section('5 Phone', [
    ['#### ### ###', 'core/values/contact.test.ts'],
    ['### ### #####', 'core/values/contact.test.ts'],
  ]),
  ...section('5 Business details', [
    ['Business name is required', 'core/values/business.test.ts'],
    ['Business name must be at least 3 characters long', 'core/values/business.test.ts'],
    ['First name is required', 'core/values/account.test.ts'],
    ['Last name is required', 'core/values/account.test.ts'],
    ['First name must be at least 3 characters long', 'core/values/account.test.ts'],
    ['Last name must be at least 3 characters long', 'core/values/account.test.ts'],
  ]),
  ...section('5 Schedule', [
    ['8:00AM', 'core/values/time.test.ts'],
    ['5:30PM', 'core/values/time.test.ts'],
    ['Not available for unsuccessful jobs', 'tests/browser/job-details.e2e.ts'],
  ]),
];
