import { withBotCheck } from '#site/lib/bot-check/with-bot-check.ts';
import { type AnswerOf, type BodyOf, request } from '#site/lib/http/api.ts';
import { query, refreshQueries } from '#site/lib/http/query.ts';
import { type Drafts, draftsOf } from '#site/lib/offline/drafts.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { isText } from '#site/lib/shape.ts';
import type { NewPassword } from '#site/ui/form/new-password.ts';
import { savedSwitches } from '#site/ui/form/saved-switches.ts';

/** How the account is reached, and what of it the public page shows. `phone` is E.164. */
export type Contact = AnswerOf<'GET', '/settings/contact'>['contact'];

/** A change that waits for its confirmation. `expiresAt` is an ISO instant. */
export type PendingChange = NonNullable<Contact['pendingEmail']>;

export type OpenSession = AnswerOf<'GET', '/authenticate/sessions'>['sessions'][number];

async function fetchContact(signal: AbortSignal): Promise<Contact> {
  return (await request('GET', '/settings/contact', { signal })).contact;
}

/** Shows the email or the phone on the public page, or takes it off. */
async function showOnPublicPage(shown: BodyOf<'PUT', '/settings/contact'>): Promise<Contact> {
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

/** Has another code sent to the number that waits for one. */
export async function resendPhoneCode(): Promise<Contact> {
  return (await request('POST', '/authenticate/phone/code')).contact;
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
export async function askForExport(
  what: NonNullable<BodyOf<'POST', '/settings/export'>['what']>,
  currentPassword: string,
): Promise<string> {
  const send = (headers: Record<string, string>) =>
    request('POST', '/settings/export', { body: { currentPassword, what }, headers });
  return (await withBotCheck(send)).url;
}

async function fetchSessions(signal: AbortSignal): Promise<OpenSession[]> {
  return (await request('GET', '/authenticate/sessions', { signal })).sessions;
}

/** Signs one session out. */
async function endSessionOf(id: string): Promise<void> {
  await request('DELETE', `/authenticate/sessions/${encodeURIComponent(id)}`);
}

/** Signs all but this one out. */
export async function endOtherSessions(): Promise<void> {
  await request('DELETE', '/authenticate/sessions');
}

const contactKey = 'contact';
const profileKey = 'profile';

/** The account's email and phone. */
export const contactQuery = query(contactKey, fetchContact);

/** Takes over what an answer holds; the profile shows the same email. */
export function storeContact(contact: Contact): void {
  contactQuery.update(() => contact);
  refreshQueries((key) => key === profileKey);
}

/** Asks again for what may have been confirmed elsewhere, once the page is looked at. */
export function lookAgain(): void {
  if (document.visibilityState === 'visible')
    refreshQueries((key) => key === contactKey || key === profileKey);
}

/** 'Show on my public page' of one contact detail, saved as it is turned. */
export function publicSwitch(name: 'showEmail' | 'showPhone', isShown: boolean) {
  return savedSwitches<typeof name>({ [name]: isShown } as Record<typeof name, boolean>, async (_, value) => {
    const contact = await showOnPublicPage({ [name]: value });
    contactQuery.update(() => contact);
    return { showEmail: contact.showEmail, showPhone: contact.showPhone };
  });
}

/** Where the account is signed in, the newest first. */
export const sessionsQuery = query('sessions', fetchSessions);

/** Signs a session out and takes it from the list. @throws ApiError, unless it was over already. */
export async function signOut(id: string): Promise<void> {
  await endSessionOf(id);
  sessionsQuery.update((sessions) => sessions?.filter((session) => session.id !== id));
}

/** Signs every other session out. @throws ApiError */
export async function signOutOthers(): Promise<void> {
  await endOtherSessions();
  sessionsQuery.update((sessions) => sessions?.filter(({ current }) => current));
}

/** What was typed as the new email or phone and not sent yet. The password beside it is never stored. */
export function contactDraft(what: 'email' | 'phone'): Drafts<string> {
  return draftsOf(`new-${what}`, accountOf($session.get()?.token ?? ''), isText);
}
