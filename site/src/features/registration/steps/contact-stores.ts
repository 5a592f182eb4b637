import { atom, type ReadableAtom } from 'nanostores';
import { isEmail, normaliseEmail } from '#core/values/contact.ts';
import { isSmsCode } from '#core/values/registration-steps.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import {
  sendCode,
  updatePhone,
  verifyCode,
  verifyEmail,
} from '#site/features/registration/registration-api.ts';
import {
  $registration,
  changeVerify,
  draftsInTab,
  isConfirmedMobile,
  isSavedMobile,
  noteMobile,
} from '#site/features/registration/registration-store.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { createPause } from '#site/lib/pause.ts';
import { isNumber, isRecord, isText } from '#site/lib/shape.ts';
import { toast } from '#site/ui/toast/toast.ts';

/** What is known of the email that stands in its field. */
export type EmailCheck = Readonly<
  { kind: 'none' | 'checking' | 'free' } | { kind: 'taken' | 'unknown'; message: string }
>;

const check = atom<EmailCheck>({ kind: 'none' });
export const $emailCheck: ReadableAtom<EmailCheck> = check;

const emailPause = createPause();

/** Takes the email after a keystroke; once it is one, the server is asked 500 ms later whether it is free. */
export function typeEmail(typed: string): void {
  const email = normaliseEmail(typed);
  const before = $registration.get()?.verify;
  if (before && email === before.email && before.emailVerified) return;
  emailPause.cancel();
  toast.dismiss('email-check');
  changeVerify({ email, emailVerified: false });
  check.set({ kind: isEmail(email) ? 'checking' : 'none' });
  if (isEmail(email)) emailPause.after((signal) => ask(email, signal));
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
    if (failure.payload.code === 'taken') showTaken();
    else check.set({ kind: 'unknown', message: failure.fields.email ?? failure.message });
  }
}

function showTaken(): void {
  const [title, message] = ["This email's already signed up.", 'Try logging in or use a different one'];
  toast.error(message, { title, id: 'email-check' });
  check.set({ kind: 'taken', message: `${title} ${message}` });
}

/**
 * How far the proof of a mobile is. `sentTo` is the number that a code is on its way to, E.164; another can be sent from
 * `resendAt` on, milliseconds since the epoch. `problem` belongs to the number, `codeProblem` to the code.
 */
export type PhoneProof = Readonly<{
  sentTo: string | null;
  resendAt: number;
  isSending: boolean;
  isVerifying: boolean;
  code: string;
  problem: string | null;
  codeProblem: string | null;
}>;

const nothing: PhoneProof = {
  ...{ sentTo: null, resendAt: 0, isSending: false, isVerifying: false },
  ...{ code: '', problem: null, codeProblem: null },
};
const proof = atom<PhoneProof>(nothing);
export const $phoneProof: ReadableAtom<PhoneProof> = proof;

const phonePause = createPause();

function change(part: Partial<PhoneProof>): void {
  proof.set({ ...proof.get(), ...part });
}

/** A code that was sent: to which mobile (E.164), and until when it counts, in milliseconds since the epoch. */
type SentCode = Readonly<{ sentTo: string; resendAt: number; expiresAt: number }>;

const isSentCode = isRecord<SentCode>({ sentTo: isText, resendAt: isNumber, expiresAt: isNumber });
const sentCode = () => draftsInTab('registration-code', isSentCode);

/** Asks for the code again that was sent before the page was loaded anew: a phone may drop it while the messages are read. */
export function resumeCode(): void {
  const { region, verify } = $registration.get() ?? {};
  const sent = sentCode().read();
  if (!verify || verify.phoneVerified || !sent || proof.get().sentTo !== null) return;
  const { sentTo, resendAt, expiresAt } = sent;
  const isOfField = readPhone(verify.phone, region ?? null) === sentTo && isSavedMobile(sentTo);
  if (isOfField && Date.now() < expiresAt) change({ sentTo, resendAt });
}

function forgetCode(): void {
  sentCode().remove();
  proof.set(nothing);
}

/** Takes the number after a keystroke. Another number than the confirmed one has to be confirmed itself. */
export function typePhone(typed: string): void {
  const { region, verify } = $registration.get() ?? {};
  if (!verify) return;
  const number = readPhone(typed, region ?? null);
  if (number !== null && number === readPhone(verify.phone, region ?? null)) return;
  phonePause.cancel();
  dismissFailures();
  forgetCode();
  changeVerify({ phone: typed, phoneVerified: number !== null && isConfirmedMobile(number) });
}

/** Sends a code to the number in the field, and again where one was sent before. */
export async function requestCode(): Promise<void> {
  const { region, verify } = $registration.get() ?? {};
  const number = verify && readPhone(verify.phone, region ?? null);
  if (!number || proof.get().isSending) return;
  phonePause.cancel();
  change({ isSending: true, problem: null, codeProblem: null, code: '' });
  try {
    if (proof.get().sentTo !== number) {
      const { phoneVerified } = await updatePhone(number);
      noteMobile(number, phoneVerified);
      if (phoneVerified) return confirm(number);
    }
    const { resendAfter, expiresIn } = await sendCode();
    dismissFailures();
    const sent = { sentTo: number, resendAt: Date.now() + resendAfter * 1_000 };
    sentCode().write({ ...sent, expiresAt: Date.now() + expiresIn * 1_000 });
    change(sent);
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError(unknownFailure, 0);
    // The answer to a right code, or to one in another tab, did not come here.
    if (failure.payload.code === 'mobile-verified') confirm(number);
    else showNotSent(failure);
  } finally {
    change({ isSending: false });
  }
}

/** Takes over that the server has this number as confirmed, unless the field holds another one by now. */
function confirm(number: string): void {
  dismissFailures();
  noteMobile(number, true);
  const { region, verify } = $registration.get() ?? {};
  if (!verify || readPhone(verify.phone, region ?? null) !== number) return;
  changeVerify({ phoneVerified: true });
  forgetCode();
}

/** Takes the code after a keystroke; once it has its 6 digits, the server is asked 500 ms later whether it is right. */
export function typeCode(typed: string): void {
  const code = typed.replace(/\D/g, '').slice(0, 6);
  phonePause.cancel();
  toast.dismiss('code');
  change({ code, codeProblem: null, isVerifying: isSmsCode(code) });
  if (isSmsCode(code)) phonePause.after((signal) => verify(code, signal));
}

async function verify(code: string, signal: AbortSignal): Promise<void> {
  try {
    await verifyCode(code, signal);
    if (signal.aborted) return;
    confirm(proof.get().sentTo ?? '');
  } catch (error) {
    if (signal.aborted) return;
    change({ isVerifying: false });
    showNotVerified(error instanceof ApiError ? error : new ApiError(unknownFailure, 0));
  }
}

function dismissFailures(): void {
  toast.dismiss('phone');
  toast.dismiss('code');
}

/** `taken` is a number of another account; the message of any other refusal is why no code is sent. */
function showNotSent(failure: ApiError): void {
  if (failure.payload.code !== 'taken') {
    toast.error(failure.message, { id: 'phone' });
    change({ problem: failure.message });
    return;
  }
  const title = 'This mobile number is already in use';
  const message = 'Log in with it, or contact support if it is yours.';
  toast.error(message, { title, id: 'phone' });
  change({ problem: `${title}. ${message}` });
}

function showNotVerified(failure: ApiError): void {
  if (failure.payload.code !== 'wrong-code') {
    toast.error(failure.message, { title: 'Something went wrong', id: 'code' });
    change({ codeProblem: failure.message });
    return;
  }
  const [title, message] = ['Wrong code', 'Double-check and try again, or get a new one'];
  toast.error(message, { title, id: 'code' });
  change({ codeProblem: `${title}. ${message}` });
}
