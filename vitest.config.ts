import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { compileForShortLives, keepTemporaryFilesInMemory } from './tests/support/run/stages.ts';

// An odd zone, half an hour off, with its own daylight saving: nothing may lean on where a test runs.
process.env.TZ = 'America/St_Johns';
keepTemporaryFilesInMemory();
compileForShortLives();

type Project = Readonly<{
  name: string;
  include: string[];
  /** Gives it the server that `testDatabase()` clones from. */
  database?: boolean;
  /** A process for each file, for tests that put another module in the place of one. */
  isolate?: boolean;
  timeout?: number;
  /** Run before each file. */
  setupFiles?: string[];
}>;

const siteTests = globSync('site/{src,adapter}/**/*.test.{ts,tsx}', { cwd: import.meta.dirname });
const mocking = siteTests.filter((file) =>
  /\bvi\.(mock|resetModules)\(/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

/** One named group of tests. Unless `isolate`, the files that a worker runs share its process. */
const project = ({ name, include, database = false, isolate = false, ...more }: Project) => ({
  test: {
    name,
    include,
    isolate,
    // Schemas behave as they do in the product.
    setupFiles: ['core/kernel/schema-settings.ts', ...(more.setupFiles ?? [])],
    exclude: ['**/node_modules/**', 'dist/**'],
    environment: 'node',
    testTimeout: more.timeout ?? 10_000,
    hookTimeout: 60_000,
    // A second is less than a busy machine may stall.
    expect: { poll: { timeout: 15_000 } },
    ...(database && { globalSetup: ['tests/support/app/postgres.ts'] }),
  },
});

/**
 * Begins with the files whose tests may take longest by the timeouts that they declare. By their sizes alone, as Vitest orders files
 * that it never ran, a short file of one long test begins last, and goes on by itself when all others are done.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).map((file) => ({ file, longest: declaredTime(file.moduleId) }));
    const isolated = ({ file }: (typeof sorted)[number]) => Number(file.project.config.isolate);
    return sorted.sort((a, b) => isolated(b) - isolated(a) || b.longest - a.longest).map(({ file }) => file);
  }
}

/** The sum of the timeouts that stand as the last argument of a test or a hook, in milliseconds. */
function declaredTime(path: string): number {
  const declared = readFileSync(path, 'utf8').matchAll(/(?:^ +|\}, )(\d{2,3}_000)(?:,|\);)$/gm);
  return [...declared].reduce((sum, [, time = '0']) => sum + Number(time.replace('_', '')), 0);
}

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the two cores that are counted on: tests wait for other processes a fifth of their time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      project({
        name: 'unit',
        include: ['{core,api,projections,tests/bench}/**/*.test.{ts,tsx}'],
        timeout: 20_000,
      }),
      project({
        name: 'site',
        include: siteTests.filter((file) => !mocking.includes(file)),
        timeout: 20_000,
      }),
      project({ name: 'site with mocks', include: mocking, isolate: true, timeout: 20_000 }),
      project({ name: 'architecture', include: ['tests/architecture/**/*.test.ts'] }),
      // One project for all levels: a worker loads the product once for whichever of them it runs.
      project({
        name: 'database',
        include: [
          'migrations/**/*.test.ts',
          'tests/{event-store,projections,api,launch,faults}/**/*.test.ts',
        ],
        database: true,
        setupFiles: ['tests/support/run/open-connections.ts', 'tests/support/run/level-timeouts.ts'],
      }),
    ],
  },
});
