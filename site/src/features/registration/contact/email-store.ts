import { atom, type ReadableAtom } from 'nanostores';
import { isEmail, normaliseEmail } from '#core/values/contact.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { verifyEmail } from '../registration-api.ts';
import { $registration, changeVerify } from '../registration-store.ts';
import { createPause } from './pause.ts';

/** What is known of the email that stands in its field. */
export type EmailCheck = Readonly<
  { kind: 'none' | 'checking' | 'free' } | { kind: 'taken' | 'unknown'; message: string }
>;

const check = atom<EmailCheck>({ kind: 'none' });
export const $emailCheck: ReadableAtom<EmailCheck> = check;

const pause = createPause();

/** Takes the email after a keystroke; once it is one, the server is asked 500 ms later whether it is free. */
export function typeEmail(typed: string): void {
  const email = normaliseEmail(typed);
  const before = $registration.get()?.verify;
  if (before && email === before.email && before.emailVerified) return;
  pause.cancel();
  toast.dismiss('email-check');
  changeVerify({ email, emailVerified: false });
  check.set({ kind: isEmail(email) ? 'checking' : 'none' });
  if (isEmail(email)) pause.after((signal) => ask(email, signal));
}

/** Asks again where the server did not answer. */
export function recheckEmail(): void {
  const verify = $registration.get()?.verify;
  if (verify && !verify.emailVerified) typeEmail(verify.email);
}

async function ask(email: string, signal: AbortSignal): Promise<void> {
  try {
    await verifyEmail(email, signal);
    if (signal.aborted) return;
    changeVerify({ email, emailVerified: true });
    check.set({ kind: 'free' });
  } catch (error) {
    if (signal.aborted) return;
    const failure = error instanceof ApiError ? error : new ApiError(unknownFailure, 0);
    if (failure.status === 409) showTaken();
    else check.set({ kind: 'unknown', message: failure.fields.email ?? failure.message });
  }
}

function showTaken(): void {
  const [title, message] = ["This email's already signed up.", 'Try logging in or use a different one'];
  toast.error(message, { title, id: 'email-check' });
  check.set({ kind: 'taken', message: `${title} ${message}` });
}
