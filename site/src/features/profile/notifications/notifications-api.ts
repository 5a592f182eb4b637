import type { NotificationName, Notifications } from '#core/values/account.ts';
import { request } from '#site/lib/http/api.ts';
import type { AnswerOf } from '#site/lib/http/operations.ts';

/** What became of a test alert, by channel. `off`: its toggle is off, and nothing was sent. */
export type TestedChannels = AnswerOf<'POST', '/settings/notifications/test'>['channels'];
export type TestedChannel = TestedChannels[keyof TestedChannels];

export async function fetchNotifications(signal: AbortSignal): Promise<Notifications> {
  const { notifications } = await request('GET', '/settings/notifications', { signal });
  return notifications;
}

/** Turns one toggle; all of them come back as they are saved. */
export async function changeNotification(name: NotificationName, isOn: boolean): Promise<Notifications> {
  const { notifications } = await request('PUT', '/settings/notifications', {
    body: { [name]: isOn },
  });
  return notifications;
}

/** Sends an alert by every channel that is on. Takes as long as the slowest of them, up to ten seconds. */
export async function sendTestAlert(): Promise<TestedChannels> {
  const { channels } = await request('POST', '/settings/notifications/test');
  return channels;
}
