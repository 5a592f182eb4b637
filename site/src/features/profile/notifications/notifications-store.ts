import { onMount } from 'nanostores';
import type { NotificationName, Notifications } from '#core/values/notifications.ts';
import { type SavedSwitches, savedSwitches } from '#site/lib/form/saved-switches.ts';
import { query } from '#site/lib/http/query.ts';
import { changeNotification, fetchNotifications } from './notifications-api.ts';

/** How many turns the server has answered. */
let saved = 0;

/** The toggles as the server has them. */
export const notificationsQuery = query('notifications', fetchNewest);

/**
 * The toggles to turn. What was turned is in the query too, so that a panel opened again starts from it; and while
 * the panel is open they follow the query, which is refreshed after changes in other tabs and by links in mail.
 */
export function notificationSwitches(stored: Notifications): SavedSwitches<NotificationName> {
  const switches = savedSwitches<NotificationName>(stored, async (name, isOn) => {
    const notifications = await changeNotification(name, isOn);
    saved += 1;
    notificationsQuery.update(() => notifications);
    return notifications;
  });
  onMount(switches.$switches, () =>
    notificationsQuery.$state.subscribe(({ data }) => {
      if (data) switches.follow(data);
    }),
  );
  return switches;
}

/** What was asked for before a turn was saved may be older than the turn. */
async function fetchNewest(signal: AbortSignal): Promise<Notifications> {
  for (;;) {
    const before = saved;
    const notifications = await fetchNotifications(signal);
    if (saved === before) return notifications;
  }
}
