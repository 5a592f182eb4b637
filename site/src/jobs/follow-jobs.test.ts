import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionUser } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { followDays } from './follow-jobs.ts';

const minute = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  // The first midnight, and the next: half an hour, an hour later or earlier on the clocks of the day between.
  ['Australia/Lord_Howe', '2027-04-03T13:00:00Z', '2027-04-04T13:30:00Z'],
  ['Australia/Sydney', '2026-10-03T14:00:00Z', '2026-10-04T13:00:00Z'],
  ['Pacific/Auckland', '2026-09-26T12:00:00Z', '2026-09-27T11:00:00Z'],
])(
  'a page that stays open over midnight in %s looks again once the day is another',
  (timeZone, first, second) => {
    vi.setSystemTime(Date.parse(first) - 5 * minute);
    const looked: number[] = [];
    vi.spyOn($session, 'get').mockReturnValue({
      token: '',
      rememberMe: true,
      user: { timeZone } as SessionUser,
    });
    followDays(() => looked.push(Date.now()));
    vi.advanceTimersByTime(Date.parse(second) - Date.parse(first) + 10 * minute);
    expect(looked).toHaveLength(2);
    for (const [at, midnight] of [
      [looked[0], first],
      [looked[1], second],
    ] as const) {
      const late = (at ?? 0) - Date.parse(midnight);
      expect(late).toBeGreaterThanOrEqual(minute);
      expect(late).toBeLessThanOrEqual(2 * minute);
    }
  },
);
