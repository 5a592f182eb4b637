import type { notificationToggles } from '#core/values/notifications.ts';
import { product } from '#core/values/product.ts';

export type ToggleName = (typeof notificationToggles)[number]['name'];

/** How the panel groups the toggles: what to be notified of, by which way, and what comes from us. */
export const toggleGroups: readonly Readonly<{ title: string; names: readonly ToggleName[] }>[] = [
  { title: 'Tell me about', names: ['account', 'jobEnquiries', 'simpleContacts'] },
  { title: 'Reach me by', names: ['email', 'sms'] },
  { title: `News from ${product.name}`, names: ['productUpdates', 'newsletter'] },
];

export const toggleNotes: Readonly<Record<ToggleName, string>> = {
  account: 'Always on: they tell you when your password, email or phone changes',
  jobEnquiries: 'A customer filled in your job form with the details',
  simpleContacts: 'A customer left their contact and a few words only',
  email: 'Sent to the email you sign in with',
  sms: 'Sent to your mobile number',
  productUpdates: 'What is new and what changes',
  newsletter: 'Tips for running the business, now and then',
};
