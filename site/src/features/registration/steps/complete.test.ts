import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aRegistration } from '#site/features/registration/registration.fixture.ts';
import { completeRegistration } from '#site/features/registration/registration-api.ts';
import { adoptRegistration, changeVerify } from '#site/features/registration/registration-store.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import type { Profile } from '#site/lib/profile.ts';
import { readRegistration, writeRegistration } from '#site/lib/session/session-storage.ts';
import { signIn } from '#site/lib/session/session-store.ts';
import { $completionFailure, $isCompleting, complete } from './DoneStep.tsx';

vi.mock('#site/features/registration/registration-api.ts', () => ({ completeRegistration: vi.fn() }));
vi.mock('#site/lib/session/session-store.ts', () => ({ signIn: vi.fn() }));
vi.mock('#site/ui/toast/toast.ts', () => ({ toast: { error: vi.fn(), dismiss: vi.fn() } }));

const replace = vi.fn();
const goTo = vi.fn(async (_step: number) => {});
const user = {
  ...{ firstName: 'Ivy', lastName: 'Sutherland', onboarding: true, type: 'plus' },
  bn: { bn: null, name: 'ACME PTY LTD', tradingName: 'acme', country: 'au' },
} as unknown as Profile;

beforeEach(() => {
  vi.resetAllMocks();
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('location', { replace });
  vi.mocked(completeRegistration).mockResolvedValue({ user, token: 'a.b.c' });
  writeRegistration({ rid: 'r'.repeat(43), completionKey: 'the-key' });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('leads back to what is open, or to what another account took meanwhile', async () => {
  vi.mocked(completeRegistration).mockRejectedValueOnce(
    new ApiError('Unfinished', 409, {}, null, { step: 1 }),
  );
  await complete(goTo);
  expect(goTo).toHaveBeenLastCalledWith(1);
  vi.mocked(completeRegistration).mockRejectedValueOnce(new ApiError('taken', 409));
  await complete(goTo);
  expect(goTo).toHaveBeenLastCalledWith(4);
  expect(replace).not.toHaveBeenCalled();
});

test('why it failed is shown until the draft changes', async () => {
  adoptRegistration(aRegistration);
  vi.mocked(completeRegistration).mockRejectedValueOnce(new ApiError('No network', 0));
  await complete(goTo);
  expect($completionFailure.get()).toBe('No network');
  changeVerify({ email: 'other@acme.example' });
  expect($completionFailure.get()).toBeNull();
});

// Last, because nothing is pressed after it: the page leaves.
test('signs in, drops the registration and goes on to the set-up', async () => {
  vi.mocked(completeRegistration).mockRejectedValueOnce(new ApiError('No network', 0));
  await complete(goTo);
  expect([$completionFailure.get(), $isCompleting.get()]).toEqual(['No network', false]);
  expect(readRegistration()).not.toBeNull();
  await complete(goTo);
  expect($completionFailure.get()).toBeNull();
  expect(vi.mocked(completeRegistration).mock.calls).toEqual([['the-key'], ['the-key']]);
  expect(readRegistration()).toBeNull();
  expect(vi.mocked(signIn).mock.calls).toMatchObject([
    [{ token: 'a.b.c', rememberMe: true, user: { onboarding: true, plan: 'plus' } }],
  ]);
  expect(replace).toHaveBeenCalledWith('/profile/intro');
});
