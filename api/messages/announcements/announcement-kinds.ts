import type { NotificationName } from '#core/values/notifications.ts';

type AnnouncementRule = Readonly<{
  /** The toggle by which an owner asks for it. */
  toggle: NotificationName;
  /** As it reads in a sentence: `Unsubscribe from …`. */
  name: string;
  /** `You get this because …`. */
  isOn: string;
}>;

/** What can be announced. The order is that of the links to unsubscribe: a new kind goes to the end. */
export const announcementKinds = {
  'product-update': { toggle: 'productUpdates', name: 'product updates', isOn: 'product updates are on' },
  newsletter: { toggle: 'newsletter', name: 'the newsletter', isOn: 'the newsletter is on' },
} as const satisfies Record<string, AnnouncementRule>;

export type AnnouncementKind = keyof typeof announcementKinds;

export const announcementKindNames = Object.keys(announcementKinds) as AnnouncementKind[];
