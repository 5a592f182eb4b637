import { section } from './section.ts';

const FALLBACK = 'tests/browser/fallback.e2e.ts';
const ADD_JOB = 'tests/browser/add-job.e2e.ts';
const ADD_JOB_AGAIN = 'tests/browser/add-job-again.e2e.ts';
const LOGIN = 'tests/browser/login.e2e.ts';
const LAYOUT = 'tests/browser/layout.e2e.ts';
const DASHBOARD = 'tests/browser/dashboard.e2e.ts';
const JOBS = 'tests/browser/jobs.e2e.ts';
const DETAILS = 'tests/browser/job-details.e2e.ts';
const PROFILE = 'tests/browser/profile.e2e.ts';
const RESET = 'tests/browser/password-reset.e2e.ts';

/** Section 2, screen by screen. */
export const screenTexts = [
  ...section('2 Layout', [
    ['Jobs', LAYOUT],
    ['Profile', LAYOUT],
    ['Oops! Something Went Wrong', FALLBACK],
    [
      "We're sorry for the inconvenience. Our team has been notified and is working to fix the issue.",
      FALLBACK,
    ],
    ['Try Again', FALLBACK],
    ['Go to Homepage', FALLBACK],
    ['Page Not Found', FALLBACK],
    ["The page you are looking for doesn't exist or has been moved.", FALLBACK],
  ]),
  ...section('2 Dashboard', [
    ['Your jobs', DASHBOARD],
    ['Search jobs', DASHBOARD],
    ['Add new job', ADD_JOB],
    ['Today', DASHBOARD],
    ['New', DASHBOARD],
    ['In progress', DASHBOARD],
    ['All jobs', DASHBOARD],
  ]),
  ...section('2 Jobs list', [
    ['All Jobs', JOBS],
    ['No jobs found', JOBS],
    ['Unavailable', JOBS],
    ['Details', JOBS],
    ['Call', JOBS],
    ['New from Ute', DETAILS],
    ['Today • Monday, 05 Jan', 'site/src/features/schedule/schedule-days.test.ts'],
    ['No jobs today', 'site/src/features/schedule/schedule-days.test.ts'],
    ['#FEE6A8', 'tests/browser/schedule.e2e.ts'],
    ['#DEDDCD', 'tests/browser/schedule.e2e.ts'],
    ['#DCDAF3', 'tests/browser/schedule.e2e.ts'],
  ]),
  ...section('2 Add new job form', [
    ['Full name', ADD_JOB],
    ['Email address', ADD_JOB],
    ['Phone number', ADD_JOB],
    ['Job address', ADD_JOB],
    ['Job title', ADD_JOB],
    ['Schedule job date and time', ADD_JOB],
    ['Job notes', ADD_JOB],
    ['Create Job', ADD_JOB],
    ['Creating...', ADD_JOB_AGAIN],
  ]),
  ...section('2 Job details', [
    ['Loading...', DETAILS],
    ['Job not found', DETAILS],
    ['Uploaded documents', 'tests/browser/job-details.e2e.ts'],
    ['Job status', 'tests/browser/job-details.e2e.ts'],
    ['Schedule', 'tests/browser/job-details.e2e.ts'],
    ['Notes', 'tests/browser/job-details.e2e.ts'],
  ]),
  ...section('2 Login', [
    ['Login to Ute', LOGIN],
    ['Email address', LOGIN],
    ['Password', LOGIN],
    ['Show', LOGIN],
    ['Hide', LOGIN],
    ['Keep me signed in', LOGIN],
    ['Forgot password?', RESET],
    ['Login', LOGIN],
    ['Sign Up', LOGIN],
    ['Session timed out', LOGIN],
    ['Please wait', LOGIN],
  ]),
  ...section('2 Forgot and reset password', [
    ['Reset Password', RESET],
    ['Log In', RESET],
    ['Password Reset Sent', RESET],
    ["We've sent you an email with instructions to reset your password. Please check your inbox.", RESET],
    ['Return to Login', RESET],
    ['New Password', RESET],
    ['Confirm Password', RESET],
    ['Save new password', RESET],
  ]),
  ...section('2 Registration wizard', [
    ['Where are you based?', 'tests/browser/registration.e2e.ts'],
    ['Australia', 'tests/browser/registration.e2e.ts'],
    ['New Zealand', 'tests/browser/registration.e2e.ts'],
    ["What's your trade?", 'tests/browser/registration.e2e.ts'],
    ['What area do you cover?', 'tests/browser/registration.e2e.ts'],
    ['Set up your {plan}', 'tests/journeys/register-a-tradie.e2e.ts'],
  ]),
  ...section('2 Profile setup', [
    ['SKIP', 'tests/browser/profile-setup.e2e.ts'],
    ['Next', 'tests/browser/profile-setup.e2e.ts'],
    ['Add your logo', 'tests/browser/profile-setup.e2e.ts'],
    ['Customise appearance', 'tests/browser/profile-setup.e2e.ts'],
    ['Welcome aboard! 🎉', 'tests/browser/profile-setup.e2e.ts'],
    ["Let's Go", 'tests/browser/profile-setup.e2e.ts'],
  ]),
  ...section('2 Settings page', [
    ['Business Profile', PROFILE],
    ['Preview', PROFILE],
    ['Share', PROFILE],
    ['Share Job Form', PROFILE],
    ['The link to your job form was copied to clipboard', PROFILE],
    ['Logout', PROFILE],
    ['Business details', 'tests/browser/business-details.e2e.ts'],
    ['NZBN number', 'tests/browser/business-details.e2e.ts'],
    ['ABN number', 'tests/browser/business-details.e2e.ts'],
    ['Enter {label} or name', 'tests/browser/business-details.e2e.ts'],
    ['Business name', 'tests/browser/business-details.e2e.ts'],
    ['First name', 'tests/browser/business-details.e2e.ts'],
    ['Last name', 'tests/browser/business-details.e2e.ts'],
    ['About', 'tests/browser/business-details.e2e.ts'],
    ['Save changes', 'tests/browser/business-details.e2e.ts'],
    ['Enquiry form', 'tests/browser/enquiry-form.e2e.ts'],
    ['General information', 'tests/browser/enquiry-form.e2e.ts'],
    ['Job details for {trade}', 'tests/browser/enquiry-form.e2e.ts'],
    ['Add another question', 'tests/browser/enquiry-form.e2e.ts'],
    ['Add Custom question', 'tests/browser/enquiry-form.e2e.ts'],
    ['Type in your question', 'tests/browser/enquiry-form.e2e.ts'],
    ['Cancel', 'tests/browser/enquiry-form.e2e.ts'],
    ['Save', 'tests/browser/enquiry-form.e2e.ts'],
    ['Notifications', 'tests/browser/notifications.e2e.ts'],
    ['Security settings', 'tests/browser/security.e2e.ts'],
  ]),
];
