import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draftsOf, forgetDrafts } from './drafts.ts';
import { MemoryStorage } from './memory-storage.fixture.ts';

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a draft is its own account's, and gone when it is forgotten", () => {
  const [mine, theirs] = [draftsOf('job', 'a1'), draftsOf('job', 'a2')];
  mine.write({ name: 'Priya' });
  expect([mine.read(), theirs.read()]).toEqual([{ name: 'Priya' }, null]);
  mine.forget();
  expect(mine.read()).toBeNull();
});

test('signing in as somebody else takes the drafts of others away, logging out all of them', () => {
  const [mine, theirs] = [draftsOf('job', 'a1'), draftsOf('job', 'a2')];
  mine.write(1);
  theirs.write(2);
  sessionStorage.setItem('other', 'stays');
  forgetDrafts('a1');
  expect([mine.read(), theirs.read()]).toEqual([1, null]);
  forgetDrafts();
  expect(mine.read()).toBeNull();
  expect(sessionStorage.getItem('other')).toBe('stays');
});

test('a browser that keeps nothing breaks nothing, nor does a damaged draft', () => {
  sessionStorage.setItem('ute.draft.job.a1', '{');
  expect(draftsOf('job', 'a1').read()).toBeNull();
  vi.stubGlobal('sessionStorage', undefined);
  const drafts = draftsOf('job', 'a1');
  drafts.write(1);
  drafts.forget();
  forgetDrafts();
  expect(drafts.read()).toBeNull();
});
