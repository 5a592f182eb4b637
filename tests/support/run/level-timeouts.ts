import { relative } from 'node:path';
import { expect, vi } from 'vitest';
import { faultRounds } from './fault-rounds.ts';

/** How long a test of a level may take, in milliseconds: the levels share a project, and so a worker, but no limit. */
const limits = [
  [/^migrations\//, 10_000],
  [/^tests\/(event-store|api)\//, 60_000],
  [/^tests\/(projections|launch)\//, 120_000],
  [/^tests\/faults\//, 60_000 * Math.max(2, faultRounds)],
] as const;

const file = relative(process.cwd(), expect.getState().testPath ?? '');
const [, testTimeout] = limits.find(([level]) => level.test(file)) ?? [];
if (testTimeout === undefined) throw new Error(`${file} is of no level that has a limit`);
vi.setConfig({ testTimeout });
