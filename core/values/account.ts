import { countCharacters } from './text.ts';

/** Lengths in characters. The cap keeps the work of one hash bounded. */
const passwordLength = { min: 12, max: 128 } as const;

const RULES: readonly (readonly [message: string, holds: (text: string) => boolean])[] = [
  [
    `Your password needs to be at least ${passwordLength.min} characters long.`,
    (text) => countCharacters(text) >= passwordLength.min,
  ],
  ['Add an uppercase letter', (text) => /\p{Lu}/u.test(text)],
  ['Add an lowercase letter', (text) => /\p{Ll}/u.test(text)],
  ['Add a number', (text) => /[0-9]/.test(text)],
  ['Add a special character', (text) => /[~@#$%!^&*()_+\-|]/.test(text)],
];

/** What is still missing, one message per rule in the order in which they are shown; `[]` for a good password. */
export function passwordProblems(text: string): string[] {
  if (countCharacters(text) > passwordLength.max) {
    return [`Your password can be at most ${passwordLength.max} characters long.`];
  }
  return RULES.filter(([, holds]) => !holds(text)).map(([message]) => message);
}

/** What a tradie can be notified of and how, in the order of the settings page. */
export const notificationToggles = [
  { name: 'account', label: 'Account notifications', isLocked: true },
  { name: 'jobEnquiries', label: 'Job enquiry form alerts', isLocked: false },
  { name: 'simpleContacts', label: 'Simple contact form alerts', isLocked: false },
  { name: 'email', label: 'Email for new jobs', isLocked: false },
  { name: 'sms', label: 'SMS for new jobs', isLocked: false },
  { name: 'productUpdates', label: 'Product updates', isLocked: false },
  { name: 'newsletter', label: 'Newsletter', isLocked: false },
  { name: 'weeklyRecord', label: 'Weekly record', isLocked: false },
] as const;

export type NotificationName = Exclude<(typeof notificationToggles)[number]['name'], 'account'>;

/** The toggles that a tradie may turn. Account notifications are none of them: they are always on. */
export type Notifications = Readonly<Record<NotificationName, boolean>>;

export const notificationNames = [
  'jobEnquiries',
  'simpleContacts',
  'email',
  'sms',
  'productUpdates',
  'newsletter',
  'weeklyRecord',
] as const satisfies readonly NotificationName[];

/** All on, until the tradie says otherwise. */
export const defaultNotifications: Notifications = {
  jobEnquiries: true,
  simpleContacts: true,
  email: true,
  sms: true,
  productUpdates: true,
  newsletter: true,
  weeklyRecord: true,
};

export const lockedNotificationMessage = 'Account notifications are always on';
