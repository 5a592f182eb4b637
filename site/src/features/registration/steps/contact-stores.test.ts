import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aRegistration } from '#site/features/registration/registration.fixture.ts';
import {
  sendCode,
  updatePhone,
  verifyCode,
  verifyEmail,
} from '#site/features/registration/registration-api.ts';
import { $registration, adoptRegistration } from '#site/features/registration/registration-store.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { $emailCheck, $phoneProof, requestCode, typeCode, typeEmail, typePhone } from './contact-stores.ts';

vi.mock('#site/features/registration/registration-api.ts', () => ({
  ...{ sendCode: vi.fn(), updatePhone: vi.fn(), verifyCode: vi.fn(), verifyEmail: vi.fn() },
}));
vi.mock('#site/ui/toast/toast.ts', () => ({ toast: { error: vi.fn(), dismiss: vi.fn() } }));

const verify = () => $registration.get()?.verify;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.mocked(updatePhone).mockImplementation(async (phone) => ({ phone, phoneVerified: false }));
  vi.mocked(sendCode).mockResolvedValue({ phone: '', resendAfter: 60, expiresIn: 600, codesLeft: 4 });
  vi.mocked(verifyCode).mockResolvedValue();
  vi.mocked(verifyEmail).mockResolvedValue({ email: 'dave@acme.example' });
  adoptRegistration(aRegistration);
  typePhone('');
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('an email is asked about once it is one, 500 ms after the last keystroke', async () => {
  typeEmail('dave@');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(verifyEmail).not.toHaveBeenCalled();
  typeEmail('dave@acme.exampl');
  await vi.advanceTimersByTimeAsync(499);
  typeEmail(' Dave@acme.example');
  expect($emailCheck.get().kind).toBe('checking');
  await vi.advanceTimersByTimeAsync(500);
  expect(vi.mocked(verifyEmail).mock.calls.map(([email]) => email)).toEqual(['dave@acme.example']);
  expect(verify()).toMatchObject({ email: 'dave@acme.example', emailVerified: true });
  typeEmail('dave@acme.exampl');
  expect(verify()?.emailVerified).toBe(false);
});

test('an email that an account signs in with is shown as taken', async () => {
  vi.mocked(verifyEmail).mockRejectedValue(new ApiError('taken', 409, {}, null, { code: 'taken' }));
  typeEmail('taken@acme.example');
  await vi.advanceTimersByTimeAsync(500);
  expect($emailCheck.get()).toMatchObject({ kind: 'taken' });
  expect(toast.error).toHaveBeenCalledWith('Try logging in or use a different one', {
    ...{ title: "This email's already signed up.", id: 'email-check' },
  });
  expect(verify()?.emailVerified).toBe(false);
  vi.mocked(toast.dismiss).mockClear();
  typeEmail('other@acme.exampl');
  expect($emailCheck.get().kind).not.toBe('taken');
  expect(toast.dismiss).toHaveBeenCalledWith('email-check');
});

test('an answer to an email that was typed over counts for nothing', async () => {
  let answer: (answered: { email: string }) => void = () => undefined;
  vi.mocked(verifyEmail).mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  typeEmail('first@acme.example');
  await vi.advanceTimersByTimeAsync(500);
  typeEmail('second@acme.exampl');
  answer({ email: 'first@acme.example' });
  await vi.advanceTimersByTimeAsync(0);
  expect(verify()).toMatchObject({ email: 'second@acme.exampl', emailVerified: false });
});

test('a code is sent, 6 digits are verified after 500 ms, and editing the phone resets that', async () => {
  typePhone('0412 345 678');
  await requestCode();
  expect($phoneProof.get()).toMatchObject({ sentTo: '+61412345678', isSending: false });
  typeCode('12345');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(verifyCode).not.toHaveBeenCalled();
  typeCode('123 456');
  await vi.advanceTimersByTimeAsync(500);
  expect(vi.mocked(verifyCode).mock.calls[0]?.[0]).toBe('123456');
  expect(verify()).toMatchObject({ phone: '0412 345 678', phoneVerified: true });
  typePhone('0412 345 67');
  expect(verify()?.phoneVerified).toBe(false);
  expect($phoneProof.get().sentTo).toBeNull();
});

test('a code that was sent is still asked for once the page is loaded anew, as long as it counts', async () => {
  const afterReload = async (phone: string) => {
    vi.resetModules();
    const store = await import('#site/features/registration/registration-store.ts');
    const contact = await import('./contact-stores.ts');
    store.adoptRegistration({ ...aRegistration, verify: { ...aRegistration.verify, phone } });
    contact.resumeCode();
    return contact.$phoneProof.get();
  };
  typePhone('0412 345 678');
  await requestCode();
  const { resendAt } = $phoneProof.get();
  expect(await afterReload('+61412345678')).toMatchObject({ sentTo: '+61412345678', resendAt, code: '' });
  expect((await afterReload('+61412345679')).sentTo).toBeNull();
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect((await afterReload('+61412345678')).sentTo).toBeNull();
  vi.setSystemTime(Date.now() - 60_000);
  typePhone('0412 345 679');
  expect((await afterReload('+61412345678')).sentTo).toBeNull();
});

test('the same number in another spelling stays proved', async () => {
  typePhone('0412 345 678');
  await requestCode();
  typeCode('123456');
  await vi.advanceTimersByTimeAsync(500);
  typePhone('+61 412 345 678');
  expect(verify()?.phoneVerified).toBe(true);
});

test('the confirmed number that is typed again stays confirmed, unless another one took its place', async () => {
  typePhone('0412 345 678');
  await requestCode();
  typeCode('123456');
  await vi.advanceTimersByTimeAsync(500);
  typePhone('0412 345 67');
  expect(verify()?.phoneVerified).toBe(false);
  typePhone('0412 345 678');
  expect(verify()).toMatchObject({ phone: '0412 345 678', phoneVerified: true });
  typePhone('0412 345 679');
  await requestCode();
  typePhone('0412 345 678');
  expect(verify()?.phoneVerified).toBe(false);
});

test('a number that the server has as confirmed needs no code', async () => {
  typePhone('0412 345 678');
  vi.mocked(updatePhone).mockResolvedValueOnce({ phone: '+61412345678', phoneVerified: true });
  await requestCode();
  expect(sendCode).not.toHaveBeenCalled();
  expect(verify()?.phoneVerified).toBe(true);
  expect($phoneProof.get().sentTo).toBeNull();
});

test('a code that was right although its answer got lost is found out by asking for another', async () => {
  typePhone('0412 345 678');
  await requestCode();
  vi.mocked(verifyCode).mockRejectedValueOnce(new ApiError('no answer', 0));
  typeCode('123456');
  await vi.advanceTimersByTimeAsync(500);
  expect(verify()?.phoneVerified).toBe(false);
  const confirmed = new ApiError('verified already', 400, {}, null, { code: 'mobile-verified' });
  vi.mocked(sendCode).mockRejectedValueOnce(confirmed);
  await requestCode();
  expect(verify()?.phoneVerified).toBe(true);
  expect($phoneProof.get()).toMatchObject({ sentTo: null, problem: null });
});

test('a wrong code is shown and can be typed again; another one goes to the same number', async () => {
  vi.mocked(verifyCode).mockRejectedValueOnce(
    new ApiError('Wrong code', 400, {}, null, { code: 'wrong-code' }),
  );
  typePhone('0412 345 678');
  await requestCode();
  typeCode('000000');
  await vi.advanceTimersByTimeAsync(500);
  expect(toast.error).toHaveBeenCalledWith('Double-check and try again, or get a new one', {
    ...{ title: 'Wrong code', id: 'code' },
  });
  expect($phoneProof.get()).toMatchObject({ code: '000000', isVerifying: false });
  vi.mocked(toast.dismiss).mockClear();
  typeCode('00000');
  expect($phoneProof.get().codeProblem).toBeNull();
  expect(toast.dismiss).toHaveBeenCalledWith('code');
  await requestCode();
  expect([vi.mocked(updatePhone).mock.calls.length, vi.mocked(sendCode).mock.calls.length]).toEqual([1, 2]);
  expect($phoneProof.get()).toMatchObject({ code: '', codeProblem: null });
});

test('the number of another account is shown apart from any other refusal', async () => {
  typePhone('0412 345 678');
  vi.mocked(updatePhone).mockRejectedValueOnce(new ApiError('used', 409, {}, null, { code: 'taken' }));
  await requestCode();
  expect($phoneProof.get()).toMatchObject({ sentTo: null, isSending: false });
  expect(vi.mocked(toast.error).mock.calls[0]?.[1]).toMatchObject({
    title: 'This mobile number is already in use',
  });
  vi.mocked(updatePhone).mockRejectedValueOnce(new ApiError('Please wait a minute', 400));
  await requestCode();
  expect($phoneProof.get().problem).toBe('Please wait a minute');
  vi.mocked(toast.dismiss).mockClear();
  typePhone('0412 345 679');
  expect($phoneProof.get().problem).toBeNull();
  expect(toast.dismiss).toHaveBeenCalledWith('phone');
});
