import type { Plan } from '#core/values/product.ts';
import { withBotCheck } from '#site/lib/bot-check/with-bot-check.ts';
import { type AnswerOf, type BodyOf, request } from '#site/lib/http/api.ts';
import type { Registration } from './registration.ts';

type Answer<Path extends string> = Omit<AnswerOf<'POST', Path>, 'status'>;
type DraftChanges = BodyOf<'PUT', '/registration/tradies'>;

/** Begins a registration with the ticket of a bot check; the request names what kind of device it is. */
export async function beginRegistration(
  plan: Plan,
  ticket: string,
): Promise<Pick<Answer<'/registration/tradies'>, 'rid'> & { registration: Registration }> {
  return request('POST', '/registration/tradies', {
    body: { plan },
    headers: {
      'x-bot-check': ticket,
      'x-screen-width': String(screen.width),
      'x-screen-height': String(screen.height),
      'x-colour-depth': String(screen.colorDepth),
      'x-language': navigator.language,
      'x-timezone-offset': String(new Date().getTimezoneOffset()),
    },
  });
}

/** The draft of the registration under way. 404 where there is none any more. */
export async function fetchRegistration(): Promise<Registration> {
  return (await request('GET', '/registration/tradies')).registration;
}

/** Saves what changed; a key that is left out stays as it is. 409 with the first open `step` where one was skipped. */
export async function saveRegistration(changes: DraftChanges): Promise<Registration> {
  return (await request('PUT', '/registration/tradies', { body: changes })).registration;
}

/** Opens the account and the business, with the last answers. The same key answers the same again. */
export async function completeRegistration(
  key: string,
  changes: DraftChanges = {},
): Promise<Answer<'/registration'>> {
  return request('POST', '/registration', { body: changes, headers: { 'idempotency-key': key } });
}

/** Resolves where no account has this email; the draft's email is this one then. 409 where one has. */
export async function verifyEmail(
  email: string,
  signal: AbortSignal,
): Promise<Answer<'/registration/email/verify'>> {
  return request('POST', '/registration/email/verify', { body: { email }, signal });
}

/** Makes this the draft's mobile, and answers whether it is confirmed. 400 where it is none, 409 where another has it. */
export async function updatePhone(phone: string): Promise<Answer<'/registration/phone/update'>> {
  return request('POST', '/registration/phone/update', { body: { phone } });
}

/** Sends a code to the draft's mobile. Times in seconds. 400 with the reason where none is sent. In a rush a bot check comes first. */
export async function sendCode(): Promise<Answer<'/registration/sms/send'>> {
  return withBotCheck((headers) => request('POST', '/registration/sms/send', { headers }));
}

/** Resolves where the code is right; 400 where it is not. */
export async function verifyCode(code: string, signal: AbortSignal): Promise<void> {
  await request('POST', '/registration/sms/verify', { body: { code }, signal });
}
