import { botCheck, key, noConflict, type Rows } from './operation-text.ts';

/** What customers, applicants, other products and operators call. */
export const publicOperations: Rows = {
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
  Records: {
    'GET /api/checkpoints': ['listCheckpoints', 'What was signed of the log', 'open or session'],
    'GET /api/checkpoints/latest': [
      'getNewestCheckpoint',
      'The newest checkpoint',
      'open or session',
      { statuses: [404] },
    ],
    'GET /api/checkpoints/:size': ['getCheckpoint', 'The checkpoint of a size', 'open or session'],
    'GET /api/checkpoints/key': [
      'listCheckpointKeys',
      'The public keys that sign checkpoints',
      'open or session',
    ],
    'GET /api/checkpoints/consistency': [
      'proveConsistency',
      'That one log is in another',
      'open or session',
      { statuses: [404] },
    ],
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
