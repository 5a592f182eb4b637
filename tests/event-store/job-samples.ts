import type { JobEvent } from '#core/job/events.ts';

export const job = { jobId: 'j1', businessId: 'b1' } as const;
const contact = { name: 'Aroha Ngata', email: 'aroha@example.nz', phone: '+64211234567' } as const;
const location = { address: '12 Smith Street, Fitzroy', placeId: null, lat: -37.8, lng: 144.98 } as const;
export const at = '2026-11-20T01:02:03.004Z';

/** One of every type of a job's, with every field filled. */
export const jobSamples: { [T in JobEvent['type']]: Extract<JobEvent, { type: T }> } = {
  JobRequested: {
    type: 'JobRequested',
    data: {
      ...job,
      ...contact,
      title: 'Leaking tap',
      description: 'Under the sink, since Tuesday',
      isUrgent: true,
      wishedTime: 'Mornings',
      location,
      answers: [{ questionId: 'q1', question: 'Pets?', field: 'pets', answer: 'A dog, Rex' }],
      media: [{ id: 'm1', name: 'our-kitchen.jpg', mime: 'image/jpeg', bytes: 1234 }],
      requestedAt: at,
    },
  },
  WorkOrderReceived: {
    type: 'WorkOrderReceived',
    data: {
      ...job,
      ...contact,
      title: 'Hot water service',
      description: 'Replace the anode',
      isUrgent: false,
      location,
      scheduledAt: at,
      receivedAt: at,
    },
  },
  JobAdded: {
    type: 'JobAdded',
    data: {
      ...job,
      ...contact,
      title: 'New fence',
      notes: 'Ring first',
      location,
      scheduledAt: null,
      addedAt: at,
    },
  },
  JobAccepted: { type: 'JobAccepted', data: { ...job, acceptedAt: at } },
  JobRejected: { type: 'JobRejected', data: { ...job, rejectedAt: at } },
  JobScheduled: { type: 'JobScheduled', data: { ...job, scheduledAt: at, changedAt: at } },
  JobStatusChanged: { type: 'JobStatusChanged', data: { ...job, status: 'Invoice sent', changedAt: at } },
  JobMarkedUnsuccessful: { type: 'JobMarkedUnsuccessful', data: { ...job, markedAt: at } },
  JobNotesChanged: { type: 'JobNotesChanged', data: { ...job, notes: 'Key under the mat', changedAt: at } },
  JobStatusRestored: {
    type: 'JobStatusRestored',
    data: { ...job, status: 'Pending', undone: 1, restoredAt: at },
  },
  JobScheduleRestored: {
    type: 'JobScheduleRestored',
    data: { ...job, scheduledAt: null, undone: 2, restoredAt: at },
  },
  JobNotesRestored: {
    type: 'JobNotesRestored',
    data: { ...job, notes: 'Key under the mat', undone: 3, restoredAt: at },
  },
  CustomerMessageOpened: {
    type: 'CustomerMessageOpened',
    data: { ...job, kind: 'on-my-way', openedAt: at },
  },
  JobOpened: { type: 'JobOpened', data: { ...job, openedAt: at } },
  JobHeld: { type: 'JobHeld', data: { ...job, heldFor: 'rush', heldAt: at } },
  JobNoLongerNeeded: { type: 'JobNoLongerNeeded', data: { ...job, saidAt: at } },
};
