import type { NotificationName } from '#core/values/notifications.ts';

type SubscriptionRule = Readonly<{
  /** The toggle by which an owner asks for it. */
  toggle: NotificationName;
  /** As it reads in a sentence: `Unsubscribe from …`. */
  name: string;
  /** `You get this because …`. */
  isOn: string;
}>;

/** What can be announced. */
export const announcementKinds = {
  'product-update': { toggle: 'productUpdates', name: 'product updates', isOn: 'product updates are on' },
  newsletter: { toggle: 'newsletter', name: 'the newsletter', isOn: 'the newsletter is on' },
} as const satisfies Record<string, SubscriptionRule>;

export type AnnouncementKind = keyof typeof announcementKinds;

export const announcementKindNames = Object.keys(announcementKinds) as AnnouncementKind[];

/** What a link in a mail unsubscribes from. The order is that of the links: a new kind goes to the end. */
export const subscriptions = {
  'product-update': announcementKinds['product-update'],
  newsletter: announcementKinds.newsletter,
  'weekly-record': { toggle: 'weeklyRecord', name: 'the weekly record', isOn: 'the weekly record is on' },
} as const satisfies Record<string, SubscriptionRule>;

export type Subscription = keyof typeof subscriptions;

export const subscriptionNames = Object.keys(subscriptions) as Subscription[];
