import { section } from './section.ts';

const JOBS = 'tests/browser/jobs.e2e.ts';
const RESET = 'tests/browser/password-reset.e2e.ts';

/** Section 8, the error catalogue, with the words of success that stand beside it. */
export const errorTexts = [
  ...section('8 Sessions', [
    ['Session timed out', 'tests/api/authenticate.test.ts'],
    ['Invalid credentials', 'tests/api/authenticate.test.ts'],
    ['Error logging on', 'tests/browser/login.e2e.ts'],
    ['An error has occurred, please try again later', 'site/src/lib/api.test.ts'],
    ['Error requesting password reset', RESET],
    ['Password has been reset successfully', RESET],
    ['Error resetting password', RESET],
    ['Password Error', RESET],
  ]),
  ...section('8 Jobs', [
    ['Job has been accepted!', JOBS],
    ['Job has been rejected.', JOBS],
    ['An error occurred, please try again later.', JOBS],
    ['Job created successfully', 'tests/browser/add-job.e2e.ts'],
    ['An unexpected error occurred', 'tests/browser/add-job-again.e2e.ts'],
    ['Error updating job', 'tests/browser/job-details.e2e.ts'],
    ['Oops, something went wrong', 'tests/browser/job-details.e2e.ts'],
    ['Job updated successfully', 'tests/browser/job-details.e2e.ts'],
  ]),
  ...section('8 Profile', [
    ['Error updating business details', 7],
    ['Business details updated', 7],
    ["We couldn't find this company, please try again.", 'tests/api/profile-settings.test.ts'],
    ["We couldn't find address for this company", 6],
    ['Error adding your new question.', 8],
    ['This domain is already taken.', 'tests/api/business-address.test.ts'],
    ['Try a different URL', 'tests/api/business-address.test.ts'],
    ['Your profile was updated successfully', 7],
  ]),
  ...section('8 Registration', [
    ['Something went wrong loading the trades', 6],
    ['Please refresh the page or try again later', 6],
    ['This mobile number is already in use', 6],
    ["This email's already signed up.", 6],
    ['Try logging in or use a different one', 6],
    ['Wrong code', 6],
    ['Double-check and try again, or get a new one', 6],
    ['You can select up to 3 trades.', 6],
    ['Please remove one to add another', 6],
    ['Something went wrong', 6],
    ['An error occurred, please try again later', 6],
    ['Error occurred while loading captcha', 6],
    ['Please wait...', 6],
  ]),
];
