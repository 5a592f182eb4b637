import { vi } from 'vitest';

/** How many times Argon2 ran while `work` did, to hash or to compare: what a login costs, without a clock. */
export async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  const spies = [vi.spyOn(Bun.password, 'hash'), vi.spyOn(Bun.password, 'verify')];
  try {
    await work();
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
