import type { JobRequest } from '#core/job/commands.ts';
import type { WorkingStatus } from '#core/job/statuses.ts';

/** A day from today (negative: before) and a wall time, in the business's own zone. */
export type Moment = readonly [day: number, time: string];

/** One invented job: what the customer sent and what the tradie did with it since. */
export type DemoJob = Readonly<{
  /** Names the job for ever, so that seeding twice makes it once. */
  key: string;
  sent: Moment;
  request: Pick<JobRequest, 'name' | 'email' | 'phone' | 'address' | 'title'> & Partial<JobRequest>;
  /** Sent by Ute, not by a customer. */
  workOrder?: true;
  answer?: 'accepted' | 'rejected';
  status?: WorkingStatus;
  scheduled?: Moment;
  notes?: string;
}>;

/** People, addresses and numbers are invented; the numbers are of the range that is reserved for fiction. */
export const demoJobs: readonly DemoJob[] = [
  {
    key: 'toilets',
    sent: [-9, '09:10'],
    request: {
      ...{ name: 'Grace Ong', email: 'office@example.com', phone: '0491 570 006' },
      address: '190 Sydney Rd, Coburg VIC 3058',
      lat: -37.743,
      lng: 144.964,
      title: 'Two toilets to replace',
      description: 'Ground floor of the shop, both cisterns leak. The new suites are on site.',
      answers: [{ questionId: 'home-type', answer: 'Shop or office' }],
    },
    ...{ answer: 'accepted', status: 'Invoice sent', scheduled: [-3, '11:00'] },
    notes: 'Invoice 1042 sent, 14 days.',
  },
  {
    key: 'cooktop',
    sent: [-8, '18:25'],
    request: {
      ...{ name: 'Sal Amato', email: 'sal.amato@example.com', phone: '0491 570 110' },
      address: '5 Mitchell St, Preston VIC 3072',
      lat: -37.74,
      lng: 145.0,
      title: 'Gas cooktop install',
      description: 'Old electric one is out. Gas point is behind the oven.',
      answers: [{ questionId: 'home-type', answer: 'House' }],
    },
    ...{ answer: 'accepted', status: 'Completed', scheduled: [-1, '08:30'] },
    notes: 'Compliance certificate lodged. Customer wants a quote for the laundry next.',
  },
  {
    key: 'laundry-trough',
    sent: [-14, '12:05'],
    request: {
      ...{ name: 'Noor Haddad', email: 'noor.haddad@example.com', phone: '0491 570 158' },
      address: '77 Melville Rd, Brunswick West VIC 3055',
      lat: -37.761,
      lng: 144.945,
      title: 'Laundry trough and taps',
    },
    ...{ answer: 'accepted', status: 'Paid', scheduled: [-6, '13:00'] },
  },
  {
    key: 'roof-leak',
    sent: [-12, '20:40'],
    request: {
      ...{ name: 'Kevin Dunn', email: 'kevin.dunn@example.com', phone: '0491 570 157' },
      address: '3 Glenlyon Rd, Brunswick VIC 3056',
      lat: -37.772,
      lng: 144.961,
      title: 'Box gutter leaks into the hallway',
    },
    ...{ answer: 'accepted', status: 'Unsuccessful' },
    notes: 'Went with a roofer.',
  },
  {
    key: 'sewer',
    sent: [-5, '07:50'],
    request: {
      ...{ name: 'Wei Cheng', email: 'w.cheng@example.com', phone: '0491 570 159' },
      address: '57 Barkly St, Brunswick VIC 3056',
      lat: -37.773,
      lng: 144.97,
      title: 'Replace clay sewer, 6 m',
      description: 'Camera showed roots at two joints. Driveway is concrete.',
      answers: [{ questionId: 'home-type', answer: 'House' }],
    },
    ...{ answer: 'accepted', status: 'Quoted', scheduled: [1, '08:00'] },
    notes: 'Quoted $4,850 with PVC. Answer due this week.',
  },
  {
    key: 'bathroom',
    sent: [-6, '16:15'],
    request: {
      ...{ name: 'Marco Bellini', email: 'marco@example.com', phone: '0491 570 157' },
      address: '8 Rennie St, Coburg VIC 3058',
      lat: -37.74,
      lng: 144.97,
      title: 'Upstairs bathroom pipework',
      description: 'First floor extension, rough-in for a shower, basin and toilet.',
      answers: [{ questionId: 'home-type', answer: 'House' }],
    },
    ...{ answer: 'accepted', status: 'In progress', scheduled: [0, '08:00'] },
    notes: 'Builder on site from 7. Park in the lane.',
  },
  {
    key: 'shower-mixer',
    sent: [-1, '18:40'],
    request: {
      ...{ name: 'Aroha Tāwhiri', email: 'aroha.t@example.com', phone: '0491 570 156' },
      address: '22/140 Lygon St, Brunswick East VIC 3057',
      lat: -37.766,
      lng: 144.981,
      title: 'Leaking shower mixer, hot tap will not close',
      description: 'Drips day and night, and the handle only turns half way.',
      isUrgent: true,
      wishedTime: 'Before 11 if you can',
      answers: [
        { questionId: 'home-type', answer: 'Unit' },
        { questionId: 'pets', answer: 'Yes' },
      ],
    },
    ...{ answer: 'accepted', status: 'In progress', scheduled: [0, '09:30'] },
    notes:
      'Stopcock is in the laundry cupboard. Bring 15 mm cartridge and a tap reseater. Strata wants water off no longer than 1 hour.',
  },
  {
    key: 'garden-tap',
    sent: [-2, '10:30'],
    request: {
      ...{ name: 'Helen Papas', email: 'helen.papas@example.com', phone: '0491 570 158' },
      address: '31 Separation St, Northcote VIC 3070',
      lat: -37.767,
      lng: 145.001,
      title: 'Garden tap and 12 m of pipe',
    },
    ...{ answer: 'accepted', scheduled: [0, '14:00'] },
  },
  {
    key: 'dishwasher',
    sent: [-3, '19:05'],
    request: {
      ...{ name: 'Tom Reilly', email: 'tom.reilly@example.com', phone: '0491 570 159' },
      address: '41 Union St, Brunswick VIC 3056',
      lat: -37.775,
      lng: 144.959,
      title: 'Dishwasher connection',
    },
    ...{ answer: 'accepted', status: 'In progress', scheduled: [1, '13:30'] },
  },
  {
    key: 'gas-heater',
    sent: [-4, '21:15'],
    request: {
      ...{ name: 'Ian Wallace', email: 'ian.wallace@example.com', phone: '0491 570 110' },
      address: '12 Pakington St, Geelong West VIC 3218',
      lat: -38.137,
      lng: 144.351,
      title: 'Gas heater service',
    },
    answer: 'rejected',
  },
  {
    key: 'hot-water',
    sent: [0, '06:35'],
    request: {
      ...{ name: 'Lena Fischer', email: 'lena.fischer@example.com', phone: '0491 570 006' },
      address: '3/88 Nicholson St, Fitzroy North VIC 3068',
      lat: -37.781,
      lng: 144.987,
      title: 'Hot water unit, no hot water',
      description: 'Gas storage unit on the balcony, pilot will not stay lit. Tenant is home all day.',
    },
    workOrder: true,
    scheduled: [2, '08:00'],
  },
  {
    key: 'kitchen-sink',
    sent: [0, '06:50'],
    request: {
      ...{ name: 'Priya Raman', email: 'priya.raman@example.com', phone: '0491 570 156' },
      address: '14 Blyth St, Brunswick VIC 3056',
      lat: -37.764,
      lng: 144.966,
      title: 'Blocked kitchen sink, water backing up',
      description: 'Came up through the second bowl last night. Plunger did nothing.',
      isUrgent: true,
      wishedTime: 'Today, any time',
      answers: [
        { questionId: 'home-type', answer: 'House' },
        { questionId: 'pets', answer: 'No' },
      ],
    },
  },
];
