import type { SignedIn, TestApp } from './api.ts';
import type { Answer } from './api-client.ts';
import { linkIn, sentMail, sentSms } from './outbox.ts';

let count = 0;

/** An address that no account has. */
export const freshEmail = () => `new-${(count += 1)}@ngata.example`;

/** An Australian mobile that no account has, in E.164. */
export const freshPhone = () => `+6149157${String((count += 1)).padStart(4, '0')}`;

export type Person = Pick<SignedIn, 'get' | 'post' | 'put' | 'password'>;

export function changeEmail(who: Person, email: string, currentPassword = who.password): Promise<Answer> {
  return who.put('/api/authenticate/email', { email, currentPassword });
}

export function changePhone(who: Person, phone: string, currentPassword = who.password): Promise<Answer> {
  return who.put('/api/registration/account', { phone, currentPassword });
}

export async function contactOf(who: Person) {
  return (await who.get('/api/settings/contact')).body.contact;
}

/** What stands behind `?t=` in the newest mail to an address that has it. */
export async function tokenSentTo(app: TestApp, email: string): Promise<string> {
  const mail = (await sentMail(app, email)).findLast(({ text }) => text.includes('?t='));
  if (!mail) throw new Error('no mail came');
  return new URLSearchParams(linkIn(mail).split('?')[1]).get('t') ?? '';
}

/** The six digits in the newest SMS to a number; empty when there is none. */
export async function codeSentTo(app: TestApp, phone: string): Promise<string> {
  return /\b\d{6}\b/.exec((await sentSms(app, phone)).at(-1)?.text ?? '')?.[0] ?? '';
}
