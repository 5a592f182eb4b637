import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aRegistration } from '#site/features/registration/registration.fixture.ts';
import type { Registration } from '#site/features/registration/registration.ts';
import {
  beginRegistration,
  completeRegistration,
  fetchRegistration,
  saveRegistration,
} from '#site/features/registration/registration-api.ts';
import {
  $registration,
  $saveFailure,
  changeRegistration,
  changeVerify,
  typePassword,
} from '#site/features/registration/registration-store.ts';
import type { BotCheck } from '#site/lib/bot-check/bot-check.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import type { Profile } from '#site/lib/profile.ts';
import {
  readRegistration,
  registrationKey,
  removeRegistration,
  sessionKey,
  writeRegistration,
} from '#site/lib/session/session-storage.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { loadStep } from './step-views.ts';
import { $phase, followAddress, move, openRegistration } from './wizard-store.ts';

const ticket = vi.hoisted(() => vi.fn<BotCheck['ticket']>());
vi.mock('#site/features/registration/bot-check.ts', () => ({
  botCheck: { ticket, drop: () => {} },
}));
vi.mock('#site/features/registration/registration-api.ts', () => ({
  ...{ beginRegistration: vi.fn(), fetchRegistration: vi.fn(), saveRegistration: vi.fn() },
  completeRegistration: vi.fn(),
}));
vi.mock('./step-views.ts', () => ({ loadStep: vi.fn() }));
vi.mock('#site/ui/toast/toast.ts', () => ({ toast: { error: vi.fn(), info: vi.fn(), dismiss: vi.fn() } }));

const rid = 'r'.repeat(43);
const place = { pathname: '/register/tradie', search: '?plan=plus', replace: vi.fn() };
const goTo = (_data: unknown, _title: string, path: string) => {
  place.pathname = path.split('?')[0] ?? '';
};
const history = { pushState: vi.fn(goTo), replaceState: vi.fn(goTo) };

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  history.pushState.mockImplementation(goTo);
  history.replaceState.mockImplementation(goTo);
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('document', { title: '' });
  vi.stubGlobal('history', history);
  vi.stubGlobal('location', Object.assign(place, { pathname: '/register/tradie' }));
  vi.mocked(loadStep).mockResolvedValue();
  ticket.mockResolvedValue({ kind: 'ok', payload: { ticket: 't' } });
  vi.mocked(beginRegistration).mockResolvedValue({ rid, registration: aRegistration });
  vi.mocked(fetchRegistration).mockResolvedValue({ ...aRegistration, step: 2, specialties: ['x'] });
  vi.mocked(saveRegistration).mockImplementation(
    async (changes) => ({ ...aRegistration, ...changes }) as Registration,
  );
  vi.mocked(completeRegistration).mockRejectedValue(new ApiError('gone', 404));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a new registration passes the bot check, stores its id, and goes to stage region with the plan', async () => {
  await openRegistration();
  expect(vi.mocked(beginRegistration)).toHaveBeenCalledWith('plus', 't');
  expect(readRegistration()).toMatchObject({ rid, completionKey: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect($phase.get().kind).toBe('open');
  expect(history.replaceState.mock.lastCall?.[2]).toBe('/register/tradie/region?plan=plus');
  expect(localStorage.getItem(registrationKey)).not.toContain('password');
});

test('a bot check that fails is shown, and is tried again 8 s later', async () => {
  ticket.mockResolvedValueOnce({ kind: 'lost' });
  await openRegistration();
  expect($phase.get()).toEqual({ kind: 'blocked', message: 'Error occurred while loading captcha' });
  expect(beginRegistration).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(7_999);
  expect(ticket).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect($phase.get().kind).toBe('open');
});

test('a stored registration is loaded instead, at the step it came to or an earlier one in the address', async () => {
  writeRegistration({ rid, completionKey: 'k' });
  await openRegistration();
  expect(ticket).not.toHaveBeenCalled();
  expect($registration.get()?.step).toBe(2);
  place.pathname = '/register/tradie/trades';
  await openRegistration();
  expect($registration.get()?.step).toBe(1);
  place.pathname = '/register/tradie/password';
  await openRegistration();
  expect($registration.get()?.step).toBe(2);
  expect(place.pathname).toBe('/register/tradie/bn');
});

test('one that came to its end, with the answer lost, signs in and goes on to the set-up', async () => {
  writeRegistration({ rid, completionKey: 'the-key' });
  vi.mocked(fetchRegistration).mockRejectedValueOnce(new ApiError('gone', 404));
  vi.mocked(completeRegistration).mockResolvedValueOnce({ token: 'token', user });
  await openRegistration();
  expect(vi.mocked(completeRegistration)).toHaveBeenCalledWith('the-key');
  expect(place.replace).toHaveBeenCalledWith('/profile/intro');
  expect(localStorage.getItem(sessionKey)).toContain('"token"');
  expect(readRegistration()).toBeNull();
  expect(beginRegistration).not.toHaveBeenCalled();
});

test('a registration that is there no more is begun anew', async () => {
  writeRegistration({ rid: 'old', completionKey: 'k' });
  vi.mocked(fetchRegistration).mockRejectedValueOnce(new ApiError('gone', 404));
  await openRegistration();
  expect(readRegistration()?.rid).toBe(rid);
});

test('a draft that does not load is shown as failed, and nothing of it is lost', async () => {
  writeRegistration({ rid, completionKey: 'k' });
  vi.mocked(fetchRegistration).mockRejectedValue(new ApiError('no', 422));
  await openRegistration();
  const message = 'An error occurred, please try again later';
  expect($phase.get()).toEqual({ kind: 'failed', message });
  expect(toast.error).toHaveBeenCalledWith(message, { id: 'registration' });
  expect(readRegistration()?.rid).toBe(rid);
  expect(toast.dismiss).not.toHaveBeenCalled();
  vi.mocked(fetchRegistration).mockResolvedValue(aRegistration);
  await openRegistration();
  expect(toast.dismiss).toHaveBeenCalledWith('registration');
});

test('Next saves what changed and then moves the address', async () => {
  await openRegistration();
  changeRegistration({ region: 'nz' });
  await move(1);
  expect(vi.mocked(saveRegistration).mock.lastCall?.[0]).toEqual({ step: 1, region: 'nz' });
  expect(history.pushState.mock.lastCall?.[2]).toBe('/register/tradie/trades?plan=plus');
  await move(-1);
  expect(place.pathname).toBe('/register/tradie/region');
});

test('a save that fails leaves the step and everything in it as they were, and can be pressed again', async () => {
  await openRegistration();
  changeRegistration({ region: 'nz' });
  vi.mocked(saveRegistration).mockRejectedValueOnce(new ApiError('No network', 0));
  await move(1);
  expect($saveFailure.get()).toMatchObject({ message: 'No network' });
  expect(toast.error).not.toHaveBeenCalled();
  expect($registration.get()).toMatchObject({ step: 0, region: 'nz' });
  expect(place.pathname).toBe('/register/tradie/region');
  expect(toast.dismiss).not.toHaveBeenCalled();
  await move(1);
  expect(vi.mocked(saveRegistration).mock.lastCall?.[0]).toEqual({ step: 1, region: 'nz' });
  expect(toast.dismiss).toHaveBeenCalledWith('registration');
});

test('why a save failed is shown until anything of the draft or the password changes', async () => {
  await openRegistration();
  for (const change of [() => changeRegistration({ region: 'nz' }), () => typePassword('Tray & spanner')]) {
    vi.mocked(saveRegistration).mockRejectedValueOnce(
      new ApiError('Check it', 422, { 'verify.password': 'It is a common one' }),
    );
    await move(1);
    expect($saveFailure.get()).toMatchObject({ message: 'Check it' });
    change();
    expect($saveFailure.get()).toBeNull();
  }
});

test('a step whose code does not load is not gone to', async () => {
  await openRegistration();
  vi.mocked(loadStep).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await move(1);
  expect(saveRegistration).not.toHaveBeenCalled();
  expect($registration.get()?.step).toBe(0);
});

test('the server has an earlier open step: that one is shown', async () => {
  vi.mocked(fetchRegistration).mockResolvedValue({ ...aRegistration, step: 2, specialties: ['x'] });
  writeRegistration({ rid, completionKey: 'k' });
  await openRegistration();
  vi.mocked(saveRegistration).mockRejectedValueOnce(
    new ApiError('Please finish', 409, {}, null, { step: 1 }),
  );
  await move(1);
  expect($registration.get()?.step).toBe(1);
});

const user = { firstName: 'Mick', lastName: 'Tasman', bn: { name: 'Tasman Plumbing' } } as Profile;

/** A registration whose every answer is there, but for the password. */
async function atPassword(): Promise<void> {
  const { verify } = aRegistration;
  const known = {
    ...verify,
    email: 'a@acme.example',
    emailVerified: true,
    phone: '+61412345678',
    phoneVerified: true,
  };
  const served = {
    ...aRegistration,
    region: 'au' as const,
    step: 5,
    specialties: ['x'],
    trades: ['plumbing'],
    entity: { bn: '1', name: 'ACME PTY LTD', tradingName: 'acme', postcode: '3000', status: 'Active' },
    user: { firstName: 'Ivy', lastName: 'Sutherland' },
    verify: known,
  };
  vi.mocked(fetchRegistration).mockResolvedValue(served);
  writeRegistration({ rid, completionKey: 'the-key' });
  await openRegistration();
  changeVerify({ terms: true });
  typePassword('Tray & spanner 12');
}

test('Next of the password opens the account, signs in and shows the last step, from which no way leads back', async () => {
  await atPassword();
  expect($registration.get()?.step).toBe(5);
  vi.mocked(completeRegistration).mockRejectedValueOnce(new ApiError('No network', 0));
  await move(1);
  expect($saveFailure.get()).toMatchObject({ message: 'No network' });
  expect([$registration.get()?.step, readRegistration()]).toMatchObject([5, { rid }]);
  vi.mocked(completeRegistration).mockResolvedValueOnce({ token: 'token', user });
  await move(1);
  const sent = ['the-key', expect.objectContaining({ step: 6 })];
  expect(vi.mocked(completeRegistration).mock.calls).toEqual([sent, sent]);
  expect(saveRegistration).not.toHaveBeenCalled();
  expect([$registration.get()?.step, place.pathname]).toEqual([6, '/register/tradie/done']);
  expect([readRegistration(), localStorage.getItem(sessionKey)]).toEqual([
    null,
    expect.stringContaining('"token"'),
  ]);
  place.pathname = '/register/tradie/password';
  await followAddress();
  expect(place.replace).toHaveBeenCalledWith('/profile/intro');
});

test('the last step loaded again leads to the set-up', async () => {
  localStorage.setItem(sessionKey, JSON.stringify({ token: 'a.b.c', rememberMe: true }));
  place.pathname = '/register/tradie/done';
  await openRegistration();
  expect(place.replace).toHaveBeenCalledWith('/profile/intro');
  expect(beginRegistration).not.toHaveBeenCalled();
});

test('what another account took meanwhile is changed where it was given, and why is said there', async () => {
  await atPassword();
  vi.mocked(completeRegistration).mockRejectedValueOnce(
    new ApiError('taken', 409, {}, null, { code: 'taken' }),
  );
  await move(1);
  expect([$registration.get()?.step, place.pathname]).toEqual([4, '/register/tradie/mobile']);
  expect(toast.error).toHaveBeenCalledWith('taken', { title: 'Something went wrong', id: 'registration' });
});

test('a registration that ran out is begun anew with what was entered, and nothing of it counts as proved', async () => {
  await openRegistration();
  const verify = { ...aRegistration.verify, phone: '0412 345 678', phoneVerified: true };
  changeRegistration({ region: 'nz', verify });
  vi.mocked(saveRegistration).mockRejectedValueOnce(new ApiError('not found', 404));
  vi.mocked(beginRegistration).mockResolvedValueOnce({ rid: 'another', registration: aRegistration });
  await move(1);
  expect(readRegistration()?.rid).toBe('another');
  expect($registration.get()).toMatchObject({ step: 0, region: 'nz', verify: { phone: '0412 345 678' } });
  expect($registration.get()?.verify.phoneVerified).toBe(false);
});

test('a registration that another tab has finished leads to where that one is signed in', async () => {
  await openRegistration();
  removeRegistration();
  localStorage.setItem(sessionKey, JSON.stringify({ token: 'a.b.c', rememberMe: true }));
  vi.mocked(saveRegistration).mockRejectedValueOnce(new ApiError('not found', 404));
  await move(1);
  expect(place.replace).toHaveBeenCalledWith('/');
  expect(beginRegistration).toHaveBeenCalledTimes(1);
});

test("the browser's own Back and Forward stop at the first step that is not done", async () => {
  await openRegistration();
  await move(1);
  place.pathname = '/register/tradie/region';
  await followAddress();
  expect($registration.get()?.step).toBe(0);
  place.pathname = '/register/tradie/mobile';
  await followAddress();
  expect($registration.get()?.step).toBe(1);
  expect(place.pathname).toBe('/register/tradie/trades');
});
