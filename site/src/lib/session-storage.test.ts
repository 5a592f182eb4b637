import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, readSession, type Session, sessionKey, writeSession } from './session-storage.ts';

class MemoryStorage {
  getItem(key: string): string | null {
    return (this as unknown as Record<string, string | undefined>)[key] ?? null;
  }
  setItem(key: string, value: string): void {
    Object.assign(this, { [key]: value });
  }
  removeItem(key: string): void {
    delete (this as unknown as Record<string, string>)[key];
  }
}

const session: Session = { token: 'a.b.c', rememberMe: true };

beforeEach(() => {
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a session that is kept outlives the tab, another does not', () => {
  writeSession(session);
  expect([localStorage.getItem(sessionKey), sessionStorage.getItem(sessionKey)]).toEqual([
    JSON.stringify(session),
    null,
  ]);
  writeSession({ ...session, rememberMe: false });
  expect(localStorage.getItem(sessionKey)).toBeNull();
  expect(readSession()).toEqual({ ...session, rememberMe: false });
});

test('clearing forgets the session and whatever else was kept in the tab', () => {
  writeSession(session);
  sessionStorage.setItem('ute.query.job-counts', '{}');
  sessionStorage.setItem('other', 'stays');
  clearSession();
  expect(readSession()).toBeNull();
  expect({ ...localStorage, ...sessionStorage }).toEqual({ other: 'stays' });
});

test.each(['', '{', 'null', '[]', '"text"', '{"token":""}', '{"token":1}'])('%j is no session', (text) => {
  localStorage.setItem(sessionKey, text);
  expect(readSession()).toBeNull();
});
