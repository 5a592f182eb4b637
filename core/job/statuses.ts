/** The nine statuses of a job, in the order in which a job usually meets them. */
export const jobStatuses = [
  'Pending',
  'Rejected',
  'To quote',
  'In progress',
  'Quoted',
  'Completed',
  'Invoice sent',
  'Paid',
  'Unsuccessful',
] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** What the status dropdown offers once a job is not Pending: any of them, in any order. */
export const workingStatuses = [
  'To quote',
  'In progress',
  'Quoted',
  'Completed',
  'Invoice sent',
  'Paid',
  'Unsuccessful',
] as const satisfies readonly JobStatus[];
export type WorkingStatus = (typeof workingStatuses)[number];

/** The customer's email and phone are withheld by the server while the job waits or was turned down. */
export function hidesContact(status: JobStatus): boolean {
  return status === 'Pending' || status === 'Rejected';
}

export function isWorkingStatus(value: unknown): value is WorkingStatus {
  return workingStatuses.some((status) => status === value);
}
