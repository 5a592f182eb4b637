import { defineConfig } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './tests/support/temp-folder.ts';

// An odd zone, half an hour off, with its own daylight saving: nothing may lean on where a test runs.
process.env.TZ = 'America/St_Johns';
keepTemporaryFilesInMemory();

type Project = Readonly<{
  name: string;
  include: string[];
  /** Gives it the server that `testDatabase()` clones from. */
  database?: boolean;
  /** A process for each file, for tests that put another module in the place of one. */
  isolate?: boolean;
  timeout?: number;
}>;

/** One named group of tests. Unless `isolate`, the files that a worker runs share its process. */
const project = ({ name, include, database = false, isolate = false, timeout = 10_000 }: Project) => ({
  test: {
    name,
    include,
    isolate,
    exclude: ['**/node_modules/**', 'dist/**'],
    environment: 'node',
    testTimeout: timeout,
    hookTimeout: 60_000,
    // A second is less than a busy machine may stall.
    expect: { poll: { timeout: 15_000 } },
    ...(database && { globalSetup: ['tests/support/global-setup.ts'] }),
  },
});

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the two cores that are counted on: tests wait for other processes a fifth of their time.
    maxWorkers: 3,
    projects: [
      project({
        name: 'unit',
        include: ['{core,api,projections,tests/bench}/**/*.test.{ts,tsx}'],
        timeout: 20_000,
      }),
      project({ name: 'site', include: ['site/src/**/*.test.{ts,tsx}'], isolate: true, timeout: 20_000 }),
      project({ name: 'architecture', include: ['tests/architecture/**/*.test.ts'] }),
      project({ name: 'migrations', include: ['migrations/**/*.test.ts'], database: true }),
      project({
        name: 'store',
        include: ['tests/event-store/**/*.test.ts'],
        database: true,
        timeout: 60_000,
      }),
      project({ name: 'api', include: ['tests/api/**/*.test.ts'], database: true, timeout: 60_000 }),
      project({
        name: 'projections',
        include: ['tests/projections/**/*.test.ts'],
        database: true,
        timeout: 120_000,
      }),
      project({
        name: 'faults',
        include: ['tests/faults/**/*.test.ts'],
        database: true,
        timeout: 60_000 * Number(process.env.FAULT_ROUNDS ?? 2),
      }),
      project({
        name: 'launch',
        include: ['tests/launch/**/*.test.ts'],
        database: true,
        timeout: 120_000,
      }),
    ],
  },
});
