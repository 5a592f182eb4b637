import { section } from './section.ts';

/** Section 9: constants. A limit's text is how its test writes it. */
export const limits = [
  ...section('9 Search', [
    ['3 characters', 'tests/browser/dashboard.e2e.ts'],
    ['500 ms', 'site/src/lib/search.test.ts'],
  ]),
  ...section('9 Lists', [
    ['page size 75', 'tests/api/jobs-list.test.ts'],
    ['180 days', 'projections/jobs/days.test.ts'],
    ['90 days before', 'projections/jobs/days.test.ts'],
  ]),
  ...section('9 Lengths', [
    ['at least 12 characters', 'core/values/account.test.ts'],
    ['3-20 characters', 'core/values/slug.test.ts'],
    ['300 characters', 'core/business/decider.test.ts'],
    ['100 characters', 'core/enquiry-form/decider.test.ts'],
    ['up to 3 trades', 'site/src/features/registration/trades/trade-choice.test.ts'],
    ['6 digits', 'site/src/features/registration/contact/contact-stores.test.ts'],
  ]),
  ...section('9 Theme colours', [
    ['#C21313', 'core/values/business.test.ts'],
    ['#5053AE', 'core/values/business.test.ts'],
    ['#5C9B61', 'core/values/business.test.ts'],
    ['#DF7811', 'core/values/business.test.ts'],
    ['#FFFFFF', 'core/values/business.test.ts'],
    ['#626367', 'core/values/business.test.ts'],
    ['#1D1B1B', 'core/values/business.test.ts'],
    ['#6B8FE4', 'core/values/business.test.ts'],
  ]),
  ...section('9 Queries and toasts', [
    ['3 retries', 'site/src/lib/query.test.ts'],
    ['5 minutes', 'site/src/lib/query.test.ts'],
    ['5000 ms', 'site/src/lib/toast.test.ts'],
    ['20 toasts', 'site/src/lib/toast.test.ts'],
  ]),
  ...section('9 Registration', [
    ['15000 m', 'site/src/features/registration/coverage/coverage.test.ts'],
    ['zoom 10', 'site/src/features/registration/coverage/coverage.test.ts'],
    ['latitude -26, longitude 135', 'site/src/features/registration/coverage/coverage.test.ts'],
    ['8 s', 'site/src/features/registration/wizard.test.ts'],
  ]),
];
