import type { NotificationName, Notifications } from '#core/values/notifications.ts';
import { query } from '#site/lib/query.ts';
import { type SavedSwitches, savedSwitches } from '#site/lib/saved-switches.ts';
import { changeNotification, fetchNotifications } from './notifications-api.ts';

/** The toggles as the server has them. */
export const notificationsQuery = query('notifications', fetchNotifications);

/** The toggles to turn. What was turned is known to the query too, so that a panel opened again starts from it. */
export function notificationSwitches(kept: Notifications): SavedSwitches<NotificationName> {
  return savedSwitches<NotificationName>(kept, async (name, isOn) => {
    const notifications = await changeNotification(name, isOn);
    notificationsQuery.update(() => notifications);
    return notifications;
  });
}
