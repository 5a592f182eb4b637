import type { NewJob } from '#api/jobs/add-job.ts';

/** What a tradie types into the Add-job form. */
export function aNewJob(overrides: Partial<NewJob> = {}): NewJob {
  return {
    name: 'Moana Rangi',
    email: 'moana@example.com',
    phone: '0491 570 157',
    address: '7 Weston Street, Brunswick VIC 3056, Australia',
    title: 'Switchboard upgrade',
    notes: 'Key under the mat',
    scheduledAt: null,
    ...overrides,
  };
}
