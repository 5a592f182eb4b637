import type { NotificationName, Notifications } from '#core/values/notifications.ts';
import { request } from '#site/lib/http/api.ts';

/** What became of a test alert on one channel. `off`: its toggle is off, and nothing was sent. */
export type TestedChannel = Readonly<{ outcome: 'sent' | 'failed' | 'off'; to: string; message: string }>;
export type TestedChannels = Readonly<Record<'email' | 'sms', TestedChannel>>;

export async function fetchNotifications(signal: AbortSignal): Promise<Notifications> {
  const { notifications } = await request<{ notifications: Notifications }>(
    'GET',
    '/settings/notifications',
    { signal },
  );
  return notifications;
}

/** Turns one toggle; all of them come back as they are saved. */
export async function changeNotification(name: NotificationName, isOn: boolean): Promise<Notifications> {
  const { notifications } = await request<{ notifications: Notifications }>(
    'PUT',
    '/settings/notifications',
    {
      body: { [name]: isOn },
    },
  );
  return notifications;
}

/** Sends an alert by every channel that is on. Takes as long as the slowest of them, up to ten seconds. */
export async function sendTestAlert(): Promise<TestedChannels> {
  const { channels } = await request<{ channels: TestedChannels }>('POST', '/settings/notifications/test');
  return channels;
}
