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
    ['Error updating business details', 'tests/browser/business-details.e2e.ts'],
    ['Business details updated', 'tests/browser/business-details.e2e.ts'],
    ["We couldn't find this company, please try again.", 'tests/api/profile-settings.test.ts'],
    ["We couldn't find address for this company", 'tests/browser/registration-steps.e2e.ts'],
    ['Error adding your new question.', 'tests/browser/enquiry-form.e2e.ts'],
    ['This domain is already taken.', 'tests/api/business-address.test.ts'],
    ['Try a different URL', 'tests/api/business-address.test.ts'],
    ['Your profile was updated successfully', 'tests/browser/profile-setup.e2e.ts'],
  ]),
  ...section('8 Registration', [
    ['Something went wrong loading the trades', 'tests/browser/registration-steps.e2e.ts'],
    ['Please refresh the page or try again later', 'tests/browser/registration-steps.e2e.ts'],
    ['This mobile number is already in use', 'tests/browser/registration-steps.e2e.ts'],
    ["This email's already signed up.", 'tests/browser/registration-steps.e2e.ts'],
    ['Try logging in or use a different one', 'tests/browser/registration-steps.e2e.ts'],
    ['Wrong code', 'tests/browser/registration-steps.e2e.ts'],
    ['Double-check and try again, or get a new one', 'tests/browser/registration-steps.e2e.ts'],
    ['You can select up to 3 trades.', 'tests/browser/registration-steps.e2e.ts'],
    ['Please remove one to add another', 'tests/browser/registration-steps.e2e.ts'],
    ['Something went wrong', 'tests/browser/registration.e2e.ts'],
    ['An error occurred, please try again later', 'tests/browser/registration.e2e.ts'],
    ['Error occurred while loading captcha', 'tests/browser/registration.e2e.ts'],
    ['Please wait...', 'tests/browser/registration-steps.e2e.ts'],
  ]),
];
