import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { request } from '#site/lib/http/api.ts';
import { aJobForm } from './job-form.fixture.ts';
import { emptyJobForm } from './job-form.ts';
import { $jobHints, hasHints, lookForHints, noHints } from './job-hints-store.ts';

vi.mock('#site/lib/http/api.ts', () => ({ request: vi.fn() }));

const zone = 'Australia/Melbourne';
const other = { id: 'j1', title: 'Heater', name: 'Moana', scheduledAt: '2026-01-05T22:30:00.000Z' };
const hints = { overlaps: [other], repeats: [] };
const asked = () =>
  vi
    .mocked(request)
    .mock.calls.map(([, path]) => Object.fromEntries(new URLSearchParams(String(path).split('?')[1])));

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(request).mockReset().mockResolvedValue({ hints });
  lookForHints(emptyJobForm, zone);
});
afterEach(() => {
  vi.useRealTimers();
});

test('what is complete is compared, half a second after the last change', async () => {
  lookForHints(aJobForm({ phone: '0491', address: { text: '14 Bl', chosen: null } }), zone);
  await vi.advanceTimersByTimeAsync(499);
  const schedule = { day: '2026-01-06', slot: '09:30' };
  lookForHints(aJobForm({ phone: '0491', address: { text: '14 Bl', chosen: null }, schedule }), zone);
  await vi.advanceTimersByTimeAsync(499);
  expect(asked()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toEqual([{ scheduledAt: '2026-01-05T22:30:00.000Z', email: 'priya@example.com' }]);
  expect($jobHints.get()).toEqual(hints);
  expect(hasHints($jobHints.get())).toBe(true);
});

test('what changes nothing to compare asks nothing, and an empty form has no hints', async () => {
  lookForHints(aJobForm(), zone);
  await vi.advanceTimersByTimeAsync(500);
  lookForHints(aJobForm({ notes: 'Other gate' }), zone);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked()).toHaveLength(1);
  lookForHints(emptyJobForm, zone);
  expect($jobHints.get()).toEqual(noHints);
});

test('a failure is no hint', async () => {
  lookForHints(aJobForm(), zone);
  await vi.advanceTimersByTimeAsync(500);
  vi.mocked(request).mockRejectedValueOnce(new Error('unavailable'));
  lookForHints(aJobForm({ phone: '0491 570 006' }), zone);
  await vi.advanceTimersByTimeAsync(500);
  expect($jobHints.get()).toEqual(noHints);
});
