import { withBotCheck } from '#site/lib/bot-check/with-bot-check.ts';
import type { NewPassword } from '#site/lib/form/new-password.ts';
import { request } from '#site/lib/http/api.ts';

/** A change that waits for its confirmation. `expiresAt` is an ISO instant. */
export type PendingChange = Readonly<{ value: string; expiresAt: string }>;

/** How the account is reached, and what of it the public page shows. `phone` is E.164. */
export type Contact = Readonly<{
  email: string;
  phone: string;
  showEmail: boolean;
  showPhone: boolean;
  pendingEmail: PendingChange | null;
  pendingPhone: PendingChange | null;
  /** While a link is to come back from `email`: how many mails a day go to customers, and how many waited since yesterday. */
  unconfirmed: Readonly<{ mailsADay: number; heldBack: number }> | null;
}>;

export type OpenSession = Readonly<{
  id: string;
  device: string;
  createdAt: string;
  lastSeenAt: string;
  current: boolean;
}>;

type WithContact = { contact: Contact };

export async function fetchContact(signal: AbortSignal): Promise<Contact> {
  return (await request<WithContact>('GET', '/settings/contact', { signal })).contact;
}

/** Shows the email or the phone on the public page, or takes it off. */
export async function showOnPublicPage(
  shown: Partial<Pick<Contact, 'showEmail' | 'showPhone'>>,
): Promise<Contact> {
  return (await request<WithContact>('PUT', '/settings/contact', { body: shown })).contact;
}

/** Asks for another email: a link goes there, and nothing changes before it is opened. */
export async function askForEmail(email: string, currentPassword: string): Promise<Contact> {
  const body = { email, currentPassword };
  const send = (headers: Record<string, string>) =>
    request<WithContact>('PUT', '/authenticate/email', { body, headers });
  return (await withBotCheck(send)).contact;
}

/** Has the link of the welcome mail sent once more. */
export async function sendConfirmation(): Promise<Contact> {
  return (await request<WithContact>('POST', '/authenticate/email/confirmation')).contact;
}

/** Asks for another mobile number: a code goes there, and nothing changes before it is given. */
export async function askForPhone(phone: string, currentPassword: string): Promise<Contact> {
  const body = { phone, currentPassword };
  const send = (headers: Record<string, string>) =>
    request<WithContact>('PUT', '/registration/account', { body, headers });
  return (await withBotCheck(send)).contact;
}

/** Gives the code that was sent to the new number. */
export async function confirmPhone(code: string): Promise<Contact> {
  return (await request<WithContact>('POST', '/authenticate/phone/confirm', { body: { code } })).contact;
}

/** Drops a change that waits. */
export async function dropChange(what: 'email' | 'phone'): Promise<Contact> {
  return (await request<WithContact>('DELETE', `/authenticate/${what}`)).contact;
}

/** Changes the password; every other session ends. Answers the server's words. */
export async function changePassword(change: NewPassword & { currentPassword: string }): Promise<string> {
  const send = (headers: Record<string, string>) =>
    request<{ message: string }>('PUT', '/authenticate/security', { body: change, headers });
  return (await withBotCheck(send)).message;
}

export async function fetchSessions(signal: AbortSignal): Promise<OpenSession[]> {
  return (await request<{ sessions: OpenSession[] }>('GET', '/authenticate/sessions', { signal })).sessions;
}

/** Signs one session out. */
export async function endSessionOf(id: string): Promise<void> {
  await request('DELETE', `/authenticate/sessions/${encodeURIComponent(id)}`);
}

/** Signs all but this one out. */
export async function endOtherSessions(): Promise<void> {
  await request('DELETE', '/authenticate/sessions');
}
