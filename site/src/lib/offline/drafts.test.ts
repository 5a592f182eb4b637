import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { isNumber, isRecord, isText } from '#site/lib/shape.ts';
import { draftedForms, draftsEverywhere, draftsOf, removeDrafts, tellOfDrafts } from './drafts.ts';

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

test('an account that logs out removes its own drafts and no others', () => {
  const [mine, theirs] = [draftsOf('job', 'a1', isNumber), draftsOf('notes:j1', 'a2', isNumber)];
  mine.write(1);
  theirs.write(2);
  sessionStorage.setItem('other.a1', 'stays');
  expect([draftedForms('a1'), draftedForms('a2')]).toEqual([['job'], ['notes:j1']]);
  removeDrafts('a1');
  expect([mine.read(), theirs.read()]).toEqual([null, 2]);
  expect(sessionStorage.getItem('other.a1')).toBe('stays');
});

test('drafts of other tabs are counted with those of this one, and removed with them', async () => {
  const theirs = new MemoryStorage();
  theirs.setItem('ute.draft.notes:j1.a1', '1');
  theirs.setItem('ute.draft.job.a2', '2');
  sessionStorage.setItem('ute.draft.job.a1', '3');
  const { channels, inTheirTab } = twoTabs(theirs);
  vi.stubGlobal('BroadcastChannel', channels);
  inTheirTab(tellOfDrafts);
  const drafts = await askedEverywhere();
  expect(drafts.forms).toEqual(['job', 'notes:j1']);
  drafts.remove();
  expect([{ ...theirs }, { ...sessionStorage }]).toEqual([{ 'ute.draft.job.a2': '2' }, {}]);
});

test('a tab that did not answer in time has its drafts afterwards', async () => {
  const theirs = new MemoryStorage();
  theirs.setItem('ute.draft.job.a1', '1');
  const { channels, inTheirTab } = twoTabs(theirs);
  vi.stubGlobal('BroadcastChannel', channels);
  const drafts = await askedEverywhere();
  inTheirTab(tellOfDrafts);
  drafts.remove();
  expect([drafts.forms, { ...theirs }]).toEqual([[], { 'ute.draft.job.a1': '1' }]);
});

/** What the tabs say until the time to answer is over. */
async function askedEverywhere() {
  vi.useFakeTimers();
  const asked = draftsEverywhere('a1');
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  return asked;
}

/** A channel between this tab and another one, which has a storage of its own. Messages arrive at once. */
function twoTabs(theirs: MemoryStorage) {
  const own = sessionStorage;
  const listeners = new Map<object, (event: { data: unknown }) => void>();
  const as = (storage: unknown, work: () => void) => {
    const before = sessionStorage;
    vi.stubGlobal('sessionStorage', storage);
    work();
    vi.stubGlobal('sessionStorage', before);
  };
  const inTheirTab = (work: () => void) => as(theirs, work);
  class Channel {
    readonly isTheirs = sessionStorage !== own;
    addEventListener(_: string, listener: (event: { data: unknown }) => void) {
      listeners.set(this, listener);
    }
    removeEventListener() {
      listeners.delete(this);
    }
    postMessage(data: unknown) {
      for (const [channel, listener] of listeners) {
        if (channel === this) continue;
        as((channel as Channel).isTheirs ? theirs : own, () => listener({ data }));
      }
    }
  }
  return { channels: Channel, inTheirTab };
}

test('a browser that stores nothing breaks nothing, nor does a damaged draft', () => {
  sessionStorage.setItem('ute.draft.job.a1', '{');
  expect(draftsOf('job', 'a1', isNamed).read()).toBeNull();
  sessionStorage.setItem('ute.draft.job.a1', '{"name":1}');
  expect(draftsOf('job', 'a1', isNamed).read()).toBeNull();
  vi.stubGlobal('sessionStorage', undefined);
  const drafts = draftsOf('job', 'a1', isNumber);
  drafts.write(1);
  drafts.remove();
  removeDrafts('a1');
  expect(draftedForms('a1')).toEqual([]);
  expect(drafts.read()).toBeNull();
});
