import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { isNumber, isRecord, isText } from '#site/lib/shape.ts';
import { draftsOf, removeDrafts } from './drafts.ts';

const isNamed = isRecord({ name: isText });

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a draft is its own account's, and gone when it is removed", () => {
  const [mine, theirs] = [draftsOf('job', 'a1', isNamed), draftsOf('job', 'a2', isNamed)];
  mine.write({ name: 'Priya' });
  expect([mine.read(), theirs.read()]).toEqual([{ name: 'Priya' }, null]);
  mine.remove();
  expect(mine.read()).toBeNull();
});

test('signing in to another account removes the drafts of the first, logging out all of them', () => {
  const [mine, theirs] = [draftsOf('job', 'a1', isNumber), draftsOf('job', 'a2', isNumber)];
  mine.write(1);
  theirs.write(2);
  sessionStorage.setItem('other', 'stays');
  removeDrafts('a1');
  expect([mine.read(), theirs.read()]).toEqual([1, null]);
  removeDrafts();
  expect(mine.read()).toBeNull();
  expect(sessionStorage.getItem('other')).toBe('stays');
});

test('a browser that stores nothing breaks nothing, nor does a damaged draft', () => {
  sessionStorage.setItem('ute.draft.job.a1', '{');
  expect(draftsOf('job', 'a1', isNamed).read()).toBeNull();
  sessionStorage.setItem('ute.draft.job.a1', '{"name":1}');
  expect(draftsOf('job', 'a1', isNamed).read()).toBeNull();
  vi.stubGlobal('sessionStorage', undefined);
  const drafts = draftsOf('job', 'a1', isNumber);
  drafts.write(1);
  drafts.remove();
  removeDrafts();
  expect(drafts.read()).toBeNull();
});
