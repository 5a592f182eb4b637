import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $justAdded } from '#site/jobs/list/job-list-store.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import {
  $isFormOpen,
  closeAfterAdding,
  leaveForNewJobs,
  openNewJobsPage,
  showForm,
} from './form-open-store.ts';

let isWide = true;
vi.mock('#site/ui/screen-store.ts', () => ({ $isWide: { get: () => isWide } }));

const page = { href: 'http://ute.test/jobs/new', assign: vi.fn() };
const room = vi.fn();

beforeEach(() => {
  isWide = true;
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.stubGlobal('location', page);
  vi.stubGlobal('document', { documentElement: { toggleAttribute: room } });
  vi.stubGlobal('history', {
    state: null,
    replaceState: (_state: unknown, _title: string, url: URL) => (page.href = url.href),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ['', true],
  ['?search=tap', true],
  ['?view=new', false],
])('/jobs/new%s: open is %s', (search, open) => {
  openNewJobsPage(search);
  expect($isFormOpen.get()).toBe(open);
});

test('the address follows, and its search stays', () => {
  page.href = 'http://ute.test/jobs/new?search=tap';
  openNewJobsPage('?search=tap');
  showForm(false);
  expect([page.href, $isFormOpen.get()]).toEqual(['http://ute.test/jobs/new?search=tap&view=new', false]);
  expect(room).toHaveBeenLastCalledWith('data-add-job', false);
  showForm(true);
  expect([page.href, $isFormOpen.get()]).toEqual(['http://ute.test/jobs/new?search=tap', true]);
});

test.each([
  [true, true],
  [false, false],
])('after a job was added, on a laptop (%s) the form stays open: %s', (wide, open) => {
  isWide = wide;
  openNewJobsPage('');
  closeAfterAdding('j1');
  expect($isFormOpen.get()).toBe(open);
  leaveForNewJobs('j2');
  expect(page.assign).toHaveBeenLastCalledWith('/jobs/new');
  openNewJobsPage('');
  expect([$isFormOpen.get(), $justAdded.get()]).toEqual([open, 'j2']);
  openNewJobsPage('');
  expect($isFormOpen.get()).toBe(true);
});
