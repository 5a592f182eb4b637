import type { JobStatus } from '#core/job/status/statuses.ts';

/** How a customer's request stands, in the words of the mails to them: what the tradie calls it is the tradie's own. */
export const requestStatusWords: Readonly<Record<JobStatus, string>> = {
  Pending: 'Not answered yet',
  Rejected: 'Declined',
  'To quote': 'Accepted',
  Quoted: 'Accepted',
  'In progress': 'Accepted',
  Completed: 'Done',
  'Invoice sent': 'Done',
  Paid: 'Done',
  Unsuccessful: 'Did not go ahead',
};

/** The same of a request that its customer called off: nobody owes an answer or a visit to it. */
export const calledOffWords = 'You called it off';
