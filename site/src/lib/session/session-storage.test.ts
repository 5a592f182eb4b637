import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import {
  accountOf,
  clearSession,
  readSession,
  type Session,
  sessionKey,
  writeSession,
} from './session-storage.ts';

const session: Session = { token: 'a.b.c', rememberMe: true };

beforeEach(() => {
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a session that stays signed in outlives the tab, another does not', () => {
  writeSession(session);
  expect([localStorage.getItem(sessionKey), sessionStorage.getItem(sessionKey)]).toEqual([
    JSON.stringify(session),
    null,
  ]);
  writeSession({ ...session, rememberMe: false });
  expect(localStorage.getItem(sessionKey)).toBeNull();
  expect(readSession()).toEqual({ ...session, rememberMe: false });
});

test('clearing removes the session and what was cached in the tab, but not what was typed', () => {
  writeSession(session);
  sessionStorage.setItem('ute.query.job-counts', '{}');
  const stored = { other: 'stays', 'ute.draft.job.a1': '{}' };
  for (const [key, value] of Object.entries(stored)) sessionStorage.setItem(key, value);
  clearSession();
  expect(readSession()).toBeNull();
  expect({ ...localStorage, ...sessionStorage }).toEqual(stored);
});

test.each(['', '{', 'null', '[]', '"text"', '{"token":""}', '{"token":1}'])('%j is no session', (text) => {
  localStorage.setItem(sessionKey, text);
  expect(readSession()).toBeNull();
});

test('a session whose user is not as it should be has no user, and is asked for again', () => {
  const user = {
    ...{ initials: 'DC', onboarding: false, plan: 'plus', region: 'au', slug: null },
    timeZone: 'Australia/Melbourne',
  };
  const read = (changed: object) => {
    localStorage.setItem(sessionKey, JSON.stringify({ ...session, user: { ...user, ...changed } }));
    return readSession();
  };
  expect(read({})).toEqual({ ...session, user });
  for (const broken of [{ timeZone: 'Nowhere/Land' }, { timeZone: 7 }, { plan: 'gold' }, { initials: {} }]) {
    expect(read(broken)).toEqual(session);
  }
});

test('a token names whose it is', () => {
  const token = `h.${btoa(JSON.stringify({ sub: 'ÿ?>a1' }))
    .replaceAll('+', '-')
    .replaceAll('/', '_')}.s`;
  expect(accountOf(token)).toBe('ÿ?>a1');
  expect([accountOf('a.b.c'), accountOf('')]).toEqual(['', '']);
});
