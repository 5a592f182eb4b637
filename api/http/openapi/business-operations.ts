import { botCheck, key, noConflict, type Rows } from './operation-text.ts';

/** What a tradie's business does, most of it signed in. */
export const businessOperations: Rows = {
  Sessions: {
    'POST /api/authenticate/login': [
      'logIn',
      'Logs in with email and password',
      'open',
      { ...botCheck, statuses: [401], conflicts: false },
    ],
    'GET /api/authenticate': ['getSession', 'The account and business of the session', 'session'],
    'POST /api/authenticate/logout': [
      'logOut',
      'Ends the session of the bearer token',
      'session',
      noConflict,
    ],
    'GET /api/authenticate/sessions': ['listSessions', 'The sessions of the account', 'session'],
    'DELETE /api/authenticate/sessions': [
      'endOtherSessions',
      'Ends every other session of the account',
      'session',
      noConflict,
    ],
    'DELETE /api/authenticate/sessions/:id': [
      'endSession',
      'Ends one session of the account',
      'session',
      noConflict,
    ],
  },
  Account: {
    'POST /api/authenticate/forgot-password': [
      'requestPasswordReset',
      'Sends a link to reset a password',
      'open',
      { ...botCheck, conflicts: false },
    ],
    'POST /api/authenticate/reset-password': [
      'resetPassword',
      'Sets a password by the link of a mail',
      'open',
      noConflict,
    ],
    'PUT /api/authenticate/security': [
      'changePassword',
      'Changes the password',
      'session',
      { statuses: [401] },
    ],
    'PUT /api/authenticate/email': [
      'changeEmail',
      'Starts the change of the email',
      'session',
      { statuses: [401] },
    ],
    'DELETE /api/authenticate/email': [
      'cancelEmailChange',
      'Cancels the change of the email',
      'session',
      noConflict,
    ],
    'POST /api/authenticate/email/confirm': [
      'confirmEmail',
      'Confirms an email by the link of a mail',
      'open',
    ],
    'POST /api/authenticate/email/confirmation': [
      'resendEmailConfirmation',
      'Sends the mail that confirms the email again',
      'session',
    ],
    'DELETE /api/authenticate/phone': [
      'cancelPhoneChange',
      'Cancels the change of the mobile number',
      'session',
      noConflict,
    ],
    'POST /api/authenticate/phone/confirm': [
      'confirmPhone',
      'Confirms a mobile number by its code',
      'session',
    ],
    'GET /api/settings/contact': ['getContact', 'Email and mobile, and changes that wait', 'session'],
    'PUT /api/settings/contact': ['changeContact', 'Changes the mobile and what is published', 'session'],
    'GET /api/settings/notifications': ['getNotifications', 'Which messages the account gets', 'session'],
    'PUT /api/settings/notifications': [
      'changeNotifications',
      'Changes which messages the account gets',
      'session',
    ],
    'POST /api/settings/notifications/test': [
      'testNotifications',
      'Sends a test by each channel',
      'session',
      noConflict,
    ],
  },
  Business: {
    'PUT /api/settings/profile': ['changeProfile', 'Changes name and business details', 'session'],
    'PUT /api/settings/intro': ['changeIntro', 'Changes the text under "About us"', 'session'],
    'PUT /api/settings/branding': ['changeBranding', 'Changes public address, colour and logo', 'session'],
    'GET /api/settings/branding/slug': ['checkPublicAddress', 'Whether a public address is free', 'session'],
    'GET /api/settings/trades': ['listBusinessTrades', 'The trades of the business', 'session'],
    'GET /api/form': ['getEnquiryForm', 'The questions of the enquiry form', 'session'],
    'PUT /api/form': ['changeEnquiryForm', 'Turns questions on and off', 'session', { statuses: [404] }],
    'POST /api/form': ['addQuestion', 'Adds a question', 'session', key],
  },
  Jobs: {
    'GET /api/jobs': ['listJobs', 'A page of jobs', 'session'],
    'POST /api/jobs': ['addJob', 'Adds a job', 'session', key],
    'GET /api/jobs/count': ['countJobs', 'How many jobs are in each list', 'session'],
    'GET /api/jobs/schedule': ['getSchedule', 'The jobs of some days', 'session'],
    'GET /api/jobs/hints': ['getJobHints', 'Jobs at the same time or of the same customer', 'session'],
    'GET /api/jobs/:id': ['getJob', 'One job', 'session'],
    'PUT /api/jobs/:id': ['changeJob', 'Changes status, schedule or notes', 'session'],
    'PUT /api/jobs/:id/accept': ['acceptJob', 'Accepts a job', 'session'],
    'PUT /api/jobs/:id/reject': ['rejectJob', 'Rejects a job', 'session'],
    'GET /api/jobs/:id/history': ['getJobHistory', 'What happened to a job', 'session'],
    'POST /api/jobs/:id/undo': ['undoJobChange', 'Takes a change back', 'session'],
    'POST /api/jobs/:id/messages': [
      'noteCustomerMessage',
      'Notes that a message to the customer was opened',
      'session',
    ],
    'GET /api/media/:id': [
      'getMedia',
      'A file of a customer, by a link that lasts ten minutes',
      'open',
      { media: ['*/*'] },
    ],
    'GET /api/live': [
      'followChanges',
      'What changes in the read models, as it happens',
      'session',
      { media: ['text/event-stream'] },
    ],
  },
  Assistant: {
    'GET /api/authenticate/chatbot': ['openChat', 'A token for a conversation', 'session'],
    'POST /api/chatbot/messages': [
      'askAssistant',
      'Asks the assistant',
      'chat',
      { media: ['text/event-stream'], statuses: [401], conflicts: false },
    ],
  },
};
