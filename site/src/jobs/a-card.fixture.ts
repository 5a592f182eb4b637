import type { JobCardView } from '#core/job/view.ts';

/** A consumer job that waits for an answer, with what a test changes about it. */
export function aCard(id: string, changes: Partial<JobCardView> = {}): JobCardView {
  return {
    ...{
      id,
      type: 'Consumer',
      status: 'Pending',
      title: `Job ${id}`,
      isUrgent: false,
      name: 'Aroha Tāwhiri',
    },
    ...{ scheduledAt: null, createdAt: '2026-01-04T22:00:00.000Z', noLongerNeededAt: null },
    ...{ heldFor: null, pictures: 0, revision: 0 },
    location: { address: '14 Blyth St, Brunswick VIC 3056', placeId: null, lat: null, lng: null },
    ...changes,
  };
}
