import type { JobForm } from './job-form.ts';

/** A form in which everything is filled in. */
export function aJobForm(overrides: Partial<JobForm> = {}): JobForm {
  const address = '14 Blyth Street, Brunswick VIC 3056, Australia';
  return {
    ...{ name: 'Priya Nair', email: 'priya@example.com', phone: '0491 570 158' },
    ...{ title: 'Blocked kitchen sink', notes: 'Side gate' },
    schedule: { day: null, slot: null },
    address: { text: address, chosen: { address, placeId: 'p1', lat: -37.77, lng: 144.97 } },
    ...overrides,
  };
}
