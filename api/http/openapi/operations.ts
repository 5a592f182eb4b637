/** What proves that a client may: a session, the token of a conversation, a registration's secret, a key of the installation. */
export type Access =
  | 'open'
  | 'session'
  | 'chat'
  | 'registration'
  | 'registration or session'
  | 'service'
  | 'metrics';

export type OperationText = Readonly<{
  tag: string;
  operationId: string;
  summary: string;
  access: Access;
  /** Headers that the request may carry. */
  headers?: readonly RequestHeader[];
  /** Statuses besides those that follow from the operation's shape. */
  statuses?: readonly number[];
  /** False for what changes something but meets no conflict. */
  conflicts?: boolean;
  /** What it answers instead of JSON. */
  media?: readonly string[];
}>;

export type RequestHeader = 'idempotency-key' | 'x-bot-check';

type Row = readonly [
  operationId: string,
  summary: string,
  access: Access,
  more?: Pick<OperationText, 'headers' | 'statuses' | 'media' | 'conflicts'>,
];

const key = { headers: ['idempotency-key'] } as const;
const noConflict = { conflicts: false } as const;
const botCheck = { headers: ['x-bot-check'] } as const;

const byTag: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
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
  Intake: {
    'GET /api/public-forms/:slug': ['getPublicForm', 'The form of a business', 'open'],
    'POST /api/public-forms/:slug/jobs': [
      'requestJob',
      'Sends a request to a business',
      'open',
      { headers: ['idempotency-key', 'x-bot-check'] },
    ],
    'POST /api/public-forms/:slug/media': ['uploadMedia', 'Stores a file for a request', 'open', botCheck],
    'GET /api/public-forms/:slug/addresses': [
      'findCustomerAddresses',
      'Addresses that begin like a text',
      'open',
    ],
    'GET /api/public-forms/:slug/addresses/:id': ['getCustomerAddress', 'One address', 'open'],
    'GET /api/answers/:token': ['getRequestToAnswer', 'The summary behind the link of an alert', 'open'],
    'POST /api/answers/:token': ['answerRequest', 'Accepts or rejects by the link of an alert', 'open'],
    'GET /api/not-needed/:token': ['getRequestToCallOff', 'The request behind the link of a receipt', 'open'],
    'POST /api/not-needed/:token': ['callOffRequest', 'Calls a request off', 'open'],
    'POST /api/work-orders': [
      'sendWorkOrder',
      'Sends a job to a business',
      'service',
      { ...key, statuses: [401, 404] },
    ],
    'GET /api/addresses': ['findAddresses', 'Addresses that begin like a text', 'session'],
    'GET /api/addresses/:id': ['getAddress', 'One address', 'session'],
    'GET /api/bot-check/challenge': ['getChallenge', 'A challenge of the bot check', 'open'],
    'POST /api/bot-check/verify': ['solveChallenge', 'Exchanges a solution for a ticket', 'open', noConflict],
  },
  Registration: {
    'POST /api/registration/tradies': [
      'startRegistration',
      'Starts a registration',
      'open',
      { ...botCheck, conflicts: false },
    ],
    'GET /api/registration/tradies': ['getRegistration', 'The draft', 'registration'],
    'PUT /api/registration/tradies': ['changeRegistration', 'Changes the draft', 'registration'],
    'GET /api/registration/trades': ['listTrades', 'Every trade', 'open'],
    'GET /api/registration/bn': [
      'findBusinessNumbers',
      'Businesses by name or number',
      'registration or session',
    ],
    'POST /api/registration/bn': [
      'chooseBusinessNumber',
      'A business by its number',
      'registration or session',
      { conflicts: false, statuses: [404] },
    ],
    'GET /api/registration/postcode': [
      'getArea',
      'The area of a postcode',
      'registration or session',
      { statuses: [404] },
    ],
    'GET /api/registration/address': [
      'findBusinessAddresses',
      'Addresses that begin like a text',
      'registration or session',
    ],
    'GET /api/registration/address/:id': ['getBusinessAddress', 'One address', 'registration or session'],
    'POST /api/registration/email/verify': ['verifyEmail', 'Checks an email', 'registration'],
    'POST /api/registration/phone/update': [
      'changeRegistrationPhone',
      'Changes the mobile number',
      'registration',
    ],
    'POST /api/registration/sms/send': ['sendCode', 'Sends a code by SMS', 'registration', botCheck],
    'POST /api/registration/sms/verify': ['verifyCode', 'Checks the code of an SMS', 'registration'],
    'POST /api/registration': ['completeRegistration', 'Opens account and business', 'registration', key],
    'PUT /api/registration/account': ['finishOnboarding', 'Ends the welcome screen', 'session'],
    'POST /api/registration/demo': [
      'requestDemo',
      'Asks for a demo',
      'open',
      { headers: ['idempotency-key', 'x-bot-check'] },
    ],
  },
  Installation: {
    'GET /api/health/live': ['isAlive', 'The process answers', 'open'],
    'GET /api/health/ready': ['isReady', 'The process can do its work', 'open'],
    'GET /api/metrics': [
      'getMetrics',
      'The metrics, as Prometheus reads them',
      'metrics',
      { media: ['text/plain'], statuses: [404] },
    ],
    'POST /api/client-errors': [
      'reportClientError',
      'Takes the report of an error in a browser',
      'open',
      noConflict,
    ],
    'GET /api/map-tiles': ['getMapTiles', 'Where the map has its tiles from', 'open'],
  },
};

/** Every operation of the API in words, by method and template, such as `GET /api/jobs/:id`. */
export const operationTexts: Readonly<Record<string, OperationText>> = Object.fromEntries(
  Object.entries(byTag).flatMap(([tag, rows]) =>
    Object.entries(rows).map(([operation, [operationId, summary, access, more]]) => [
      operation,
      { tag, operationId, summary, access, ...more },
    ]),
  ),
);
