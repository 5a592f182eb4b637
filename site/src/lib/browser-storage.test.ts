import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSession, writeSession } from '#site/lib/session/session-storage.ts';
import { browserValues, storageTrouble, tabsChannel, tabValues } from './browser-storage.ts';
import { MemoryStorage } from './memory-storage.fixture.ts';

const session = { token: 'a.b.c', rememberMe: true };

beforeEach(() => {
  vi.stubGlobal('window', { name: 'a name of its own' });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A storage that is full, or that a user refuses to the site: then each look at it throws. */
const full = () =>
  Object.assign(new MemoryStorage(), {
    setItem: () => {
      throw new DOMException('Full', 'QuotaExceededError');
    },
  });

test('where there is room the session is in the browser, and the name of the window is left alone', () => {
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  writeSession(session);
  expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([['ute.session'], []]);
  expect(storageTrouble()).toBeNull();
  expect(window.name).toBe('a name of its own');
});

test('where the browser is full the session is the tab’s', () => {
  vi.stubGlobal('localStorage', full());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  writeSession(session);
  expect([readSession(), Object.keys(sessionStorage)]).toEqual([session, ['ute.session']]);
  expect(storageTrouble()).toBe('full');
});

test('where storage is refused values go with the tab in the name of its window, until they are removed', () => {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, undefined);
  expect([storageTrouble(), browserValues.setItem('ute.x', '1'), browserValues.names()]).toEqual([
    ...['refused', false, []],
  ]);
  writeSession(session);
  tabValues.setItem('ute.draft.job.a1', '{}');
  expect([readSession(), tabValues.names()]).toEqual([session, ['ute.session', 'ute.draft.job.a1']]);
  for (const name of tabValues.names()) tabValues.removeItem(name);
  expect([readSession(), window.name]).toEqual([null, '']);
  window.name = 'ute.values:{';
  expect(tabValues.getItem('ute.session')).toBeNull();
});

test('a browser without channels between its tabs has none', () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  expect(tabsChannel('any')).toBeNull();
});
