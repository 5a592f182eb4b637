import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aJobForm } from './job-form.fixture.ts';
import { emptyJobForm } from './job-form.ts';
import { createJobHints, hasHints, noHints } from './job-hints-store.ts';

const ask = vi.fn();
let hintsOf: ReturnType<typeof createJobHints>;

const zone = 'Australia/Melbourne';
const other = { id: 'j1', title: 'Heater', name: 'Moana', scheduledAt: '2026-01-05T22:30:00.000Z' };
const hints = { overlaps: [other], repeats: [] };
const asked = () =>
  ask.mock.calls.map(([, path]) => Object.fromEntries(new URLSearchParams(String(path).split('?')[1])));

beforeEach(() => {
  vi.useFakeTimers();
  ask.mockReset().mockResolvedValue({ hints });
  hintsOf = createJobHints(ask);
});
afterEach(() => {
  vi.useRealTimers();
});

test('what is complete is compared, half a second after the last change', async () => {
  hintsOf.look(aJobForm({ phone: '0491', address: { text: '14 Bl', chosen: null } }), zone);
  await vi.advanceTimersByTimeAsync(499);
  const schedule = { day: '2026-01-06', slot: '09:30' };
  hintsOf.look(aJobForm({ phone: '0491', address: { text: '14 Bl', chosen: null }, schedule }), zone);
  await vi.advanceTimersByTimeAsync(499);
  expect(asked()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toEqual([{ scheduledAt: '2026-01-05T22:30:00.000Z', email: 'priya@example.com' }]);
  expect(hintsOf.$hints.get()).toEqual(hints);
  expect(hasHints(hintsOf.$hints.get())).toBe(true);
});

test('what changes nothing to compare asks nothing, and an empty form has no hints', async () => {
  hintsOf.look(aJobForm(), zone);
  await vi.advanceTimersByTimeAsync(500);
  hintsOf.look(aJobForm({ notes: 'Other gate' }), zone);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked()).toHaveLength(1);
  hintsOf.look(emptyJobForm, zone);
  expect(hintsOf.$hints.get()).toEqual(noHints);
});

test('a failure is no hint', async () => {
  hintsOf.look(aJobForm(), zone);
  await vi.advanceTimersByTimeAsync(500);
  ask.mockRejectedValueOnce(new Error('unavailable'));
  hintsOf.look(aJobForm({ phone: '0491 570 006' }), zone);
  await vi.advanceTimersByTimeAsync(500);
  expect(hintsOf.$hints.get()).toEqual(noHints);
});
