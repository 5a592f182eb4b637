import { withBotCheck } from '#site/lib/bot-check/with-bot-check.ts';
import type { NewPassword } from '#site/lib/form/new-password.ts';
import { request } from '#site/lib/http/api.ts';
import type { AnswerOf } from '#site/lib/http/operations.ts';

/** How the account is reached, and what of it the public page shows. `phone` is E.164. */
export type Contact = AnswerOf<'GET', '/settings/contact'>['contact'];

/** A change that waits for its confirmation. `expiresAt` is an ISO instant. */
export type PendingChange = NonNullable<Contact['pendingEmail']>;

export type OpenSession = AnswerOf<'GET', '/authenticate/sessions'>['sessions'][number];

export async function fetchContact(signal: AbortSignal): Promise<Contact> {
  return (await request('GET', '/settings/contact', { signal })).contact;
}

/** Shows the email or the phone on the public page, or takes it off. */
export async function showOnPublicPage(
  shown: Partial<Pick<Contact, 'showEmail' | 'showPhone'>>,
): Promise<Contact> {
  return (await request('PUT', '/settings/contact', { body: shown })).contact;
}

/** Asks for another email: a link goes there, and nothing changes before it is opened. */
export async function askForEmail(email: string, currentPassword: string): Promise<Contact> {
  const body = { email, currentPassword };
  const send = (headers: Record<string, string>) => request('PUT', '/authenticate/email', { body, headers });
  return (await withBotCheck(send)).contact;
}

/** Has the link of the welcome mail sent once more. */
export async function sendConfirmation(): Promise<Contact> {
  return (await request('POST', '/authenticate/email/confirmation')).contact;
}

/** Asks for another mobile number: a code goes there, and nothing changes before it is given. */
export async function askForPhone(phone: string, currentPassword: string): Promise<Contact> {
  const body = { phone, currentPassword };
  const send = (headers: Record<string, string>) =>
    request('PUT', '/registration/account', { body, headers });
  return (await withBotCheck(send)).contact;
}

/** Gives the code that was sent to the new number. */
export async function confirmPhone(code: string): Promise<Contact> {
  return (await request('POST', '/authenticate/phone/confirm', { body: { code } })).contact;
}

/** Drops a change that waits. */
export async function dropChange(what: 'email' | 'phone'): Promise<Contact> {
  return (await request('DELETE', `/authenticate/${what}`)).contact;
}

/** Changes the password; every other session ends. Answers the server's words. */
export async function changePassword(change: NewPassword & { currentPassword: string }): Promise<string> {
  const send = (headers: Record<string, string>) =>
    request('PUT', '/authenticate/security', { body: change, headers });
  return (await withBotCheck(send)).message;
}

/** Asks for the link to a download; it is good once, for a minute. */
export async function askForExport(what: 'everything' | 'account', currentPassword: string): Promise<string> {
  const send = (headers: Record<string, string>) =>
    request('POST', '/settings/export', { body: { currentPassword, what }, headers });
  return (await withBotCheck(send)).url;
}

export async function fetchSessions(signal: AbortSignal): Promise<OpenSession[]> {
  return (await request('GET', '/authenticate/sessions', { signal })).sessions;
}

/** Signs one session out. */
export async function endSessionOf(id: string): Promise<void> {
  await request('DELETE', `/authenticate/sessions/${encodeURIComponent(id)}`);
}

/** Signs all but this one out. */
export async function endOtherSessions(): Promise<void> {
  await request('DELETE', '/authenticate/sessions');
}
