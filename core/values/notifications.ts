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
