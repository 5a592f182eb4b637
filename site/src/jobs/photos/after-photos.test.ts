import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('localStorage', new MemoryStorage());
  vi.stubGlobal('document', { activeElement: null });
});
afterEach(() => void vi.unstubAllGlobals());

/** The store of a page that was just loaded. */
const onAPage = () => import('./after-photos.ts');

const job = (id: string, ...stages: string[]) =>
  ({ id, photos: stages.map((stage) => ({ stage })) }) as unknown as JobView;

test('a job is asked for once in a browser, each job by itself', async () => {
  const { $askingForAfter, askForAfterPhotos, stopAsking } = await onAPage();
  askForAfterPhotos(job('j1', 'before', 'during'));
  expect($askingForAfter.get()).toBe('j1');
  stopAsking();
  askForAfterPhotos(job('j1'));
  expect($askingForAfter.get()).toBeNull();
  vi.resetModules();
  const later = await onAPage();
  later.askForAfterPhotos(job('j1'));
  expect(later.$askingForAfter.get()).toBeNull();
  later.askForAfterPhotos(job('j2'));
  expect(later.$askingForAfter.get()).toBe('j2');
});

test('a job with a photo of the finished work, sent or still to go, is not asked for', async () => {
  const { photoQueue } = await import('#site/jobs/changes/photo-queue.ts');
  const { $askingForAfter, askForAfterPhotos } = await onAPage();
  askForAfterPhotos(job('j1', 'before', 'after'));
  vi.spyOn(photoQueue.$photos, 'get').mockReturnValue([{ jobId: 'j1', stage: 'after' } as never]);
  askForAfterPhotos(job('j1'));
  expect($askingForAfter.get()).toBeNull();
  // A photo of another job says nothing of this one.
  askForAfterPhotos(job('j2'));
  expect($askingForAfter.get()).toBe('j2');
});

test('nothing is asked while the tradie types, or of a job that takes no more photos', async () => {
  const { $askingForAfter, askForAfterPhotos } = await onAPage();
  vi.stubGlobal('document', { activeElement: { matches: () => true } });
  askForAfterPhotos(job('j1'));
  vi.stubGlobal('document', { activeElement: null });
  askForAfterPhotos(job('j2', ...Array.from({ length: 40 }, () => 'during')));
  expect($askingForAfter.get()).toBeNull();
});

test.each(['{', 'null', '{"j1":1}', '[1]'])('%j in the browser counts as nothing', async (stored) => {
  localStorage.setItem('ute.after-photos', stored);
  const { $askingForAfter, askForAfterPhotos } = await onAPage();
  askForAfterPhotos(job('j1'));
  expect($askingForAfter.get()).toBe('j1');
});

test('a browser that refuses storage is asked all the same', async () => {
  vi.stubGlobal('localStorage', undefined);
  const { $askingForAfter, askForAfterPhotos } = await onAPage();
  askForAfterPhotos(job('j1'));
  expect($askingForAfter.get()).toBe('j1');
});
