import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSession, writeSession } from '#site/lib/session/session-storage.ts';
import { clearFailure, dropStoredValues } from './fallback.ts';
import { MemoryStorage } from './memory-storage.fixture.ts';

const dropped = vi.fn();
const typed = { 'ute.draft.job.a1': '{}', 'ute.form.acme': '{}' };
const ways = { 'ute.registration': '{}', 'ute.photos-waiting': '1', 'ute.changes-waiting': '1' };
const cached = { 'ute.query.job-counts': '{}', 'ute.toasts': '[]', 'ute.job-added': 'j1' };

beforeEach(() => {
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('indexedDB', { deleteDatabase: dropped });
  for (const [key, value] of Object.entries({ ...typed, ...cached })) sessionStorage.setItem(key, value);
  localStorage.setItem('ute.looks', '{}');
  for (const [key, value] of Object.entries(ways)) localStorage.setItem(key, value);
  localStorage.setItem('other', 'stays');
  writeSession({ token: 'a.b.c', rememberMe: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a page that fails drops what was cached, and leaves what was typed, what waits and who is signed in', () => {
  dropStoredValues('/jobs/add');
  expect({ ...sessionStorage }).toEqual({ ...typed, 'ute.failed': '/jobs/add' });
  expect(Object.keys(localStorage).sort()).toEqual([...Object.keys(ways), 'other', 'ute.session'].sort());
  expect(readSession()).toEqual({ token: 'a.b.c', rememberMe: true });
  expect(dropped).toHaveBeenCalledWith('ute.copies');
});

test('a page that fails again on the next try drops what was typed too', () => {
  dropStoredValues('/jobs/add');
  dropStoredValues('/jobs/add');
  expect(Object.keys(sessionStorage)).toEqual(['ute.failed']);
});

test('another page, or the same one after it worked, has not failed before', () => {
  dropStoredValues('/');
  dropStoredValues('/jobs/add');
  clearFailure();
  dropStoredValues('/jobs/add');
  expect({ ...sessionStorage }).toMatchObject(typed);
});
