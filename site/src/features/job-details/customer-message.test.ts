import { expect, test } from 'vitest';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { canMessage, messageLink } from './ContactDetails.tsx';

const zone = 'Pacific/Auckland';
const acme = { firstName: 'Dave', businessName: 'Acme Plumbing', timeZone: zone };
const now = new Date('2026-01-04T22:00:00Z');
const job = aCard('j1', {
  ...{ status: 'In progress', title: 'Leaking tap & sink', phone: '+6421123456' },
  scheduledAt: '2026-01-04T20:30:00Z',
});

test('only accepted jobs of today that are still to be done', () => {
  expect(canMessage(job, zone, now)).toBe(true);
  expect(canMessage({ ...job, status: 'Paid' }, zone, now)).toBe(false);
  expect(canMessage({ ...job, scheduledAt: null }, zone, now)).toBe(false);
  expect(canMessage({ ...job, scheduledAt: '2026-01-06T20:30:00Z' }, zone, now)).toBe(false);
  const { phone, ...hidden } = job;
  expect(canMessage({ ...hidden, status: 'Pending' }, zone, now)).toBe(false);
});

test('the link opens a text to the customer with the words filled in', () => {
  const [to, words] = messageLink('running-late', job, acme).split('?&body=');
  expect(to).toBe('sms:+6421123456');
  expect(decodeURIComponent(words ?? '')).toBe(
    "Hi Aroha, Dave from Acme Plumbing here. I'm running late for your 9:30AM job: Leaking tap & sink. Sorry, I'll be there as soon as I can.",
  );
  expect(decodeURIComponent(messageLink('on-my-way', job, acme))).toContain(
    "Hi Aroha, Dave from Acme Plumbing here. I'm on my way for your job: Leaking tap & sink.",
  );
  expect(decodeURIComponent(messageLink('on-my-way', job, { timeZone: zone }))).toContain("Hi Aroha. I'm");
});
