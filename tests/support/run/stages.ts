import { existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export const root = join(import.meta.dirname, '..', '..', '..');

/** The command line of a tool that the packages brought, run by Bun whatever its first line says. */
export const tool = {
  astro: [process.execPath, '--bun', 'node_modules/astro/bin/astro.mjs'],
  biome: [process.execPath, '--bun', 'node_modules/@biomejs/biome/bin/biome'],
  playwright: [process.execPath, '--bun', 'node_modules/@playwright/test/cli.js'],
  tsc: [process.execPath, '--bun', 'node_modules/@typescript/native-preview/bin/tsgo'],
  types: [process.execPath, 'tests/types.ts'],
  vitest: [process.execPath, '--bun', 'node_modules/vitest/vitest.mjs'],
} as const;

export type Stage = Readonly<{ name: string; ok: boolean; seconds: number }>;

/** Runs one stage and says how long it took; a stage fails by throwing or by answering false. */
export async function runStage(name: string, work: () => Promise<unknown>): Promise<Stage> {
  const since = performance.now();
  let ok = true;
  try {
    ok = (await work()) !== false;
  } catch (error) {
    ok = false;
    console.error((error as Error).message);
  }
  return { name, ok, seconds: (performance.now() - since) / 1_000 };
}

/** One line per stage. */
export function stageTable(stages: readonly Stage[]): string {
  return stages
    .map(
      ({ name, ok, seconds }) =>
        `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s`,
    )
    .join('\n');
}

/** Runs a program that is silent while all is well; what a failed one printed comes out whole. */
export async function passes(command: readonly string[]): Promise<boolean> {
  const child = Bun.spawn([...command], { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) console.error(output + errors);
  return code === 0;
}

/** Counts of a run's tests, and of those that failed or were flaky the full name and the first line of why. */
export type Tally = Readonly<{ passed: number; failed: number; failures: readonly string[] }>;

type Suite = { title: string; suites?: Suite[]; specs?: { title: string; ok: boolean; tests: Run[] }[] };
type Run = {
  projectName: string;
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  expectedStatus: string;
  results?: { error?: { message?: string } }[];
};
type PlaywrightReport = {
  stats: { expected: number };
  suites?: Suite[];
  errors?: { message?: string }[];
};

/**
 * Reads the tally of Vitest (`VitestTally`) or counts the tests of Playwright's JSON report. A runner that failed without a
 * failed test, or left no report, counts as one failure.
 */
export function readTally(file: string, runnerPassed: boolean): Tally {
  const report = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Tally | PlaywrightReport)
    : null;
  const { passed, failed, failures } = report ? count(report) : { passed: 0, failed: 0, failures: [] };
  const sound = runnerPassed && report !== null;
  return { passed, failed: failed === 0 && !sound ? 1 : failed, failures };
}

function count(report: Tally | PlaywrightReport): Tally {
  if (!('stats' in report)) return report;
  const failures = [
    ...(report.suites ?? []).flatMap((suite) => browserFailures(suite, [])),
    ...(report.errors ?? []).map(({ message }) => `between tests${reason(message)}`),
  ];
  return { passed: report.stats.expected, failed: failures.length, failures };
}

/** A test that was not run although nobody wanted it left out: an error between tests keeps the next one from running. */
const wasKeptFromRunning = ({ status, expectedStatus }: Run) =>
  status === 'skipped' && expectedStatus === 'passed';

function browserFailures({ title, suites = [], specs = [] }: Suite, above: string[]): string[] {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter((run) => ['unexpected', 'flaky'].includes(run.status) || wasKeptFromRunning(run))
      .map((run) => {
        const because = reason(run.results?.find(({ error }) => error)?.error?.message);
        const how = wasKeptFromRunning(run) ? 'did not run' : run.status;
        return `${[...path, spec.title, `${run.projectName} (${how})`].join(' › ')}${because}`;
      }),
  );
  return [...own, ...suites.flatMap((suite) => browserFailures(suite, path))];
}

/** The first line of an error as the end of a name; nothing where there is no error. */
export function reason(message?: string): string {
  const line = stripVTControlCharacters(message ?? '')
    .split('\n')[0]
    ?.slice(0, 200);
  return line ? `: ${line}` : '';
}

/** The end of a run: what failed, by name, and how many passed and failed. */
export function closingLines(tallies: readonly Tally[]): string {
  const sum = (key: 'passed' | 'failed') => tallies.reduce((total, tally) => total + tally[key], 0);
  const names = tallies.flatMap(({ failures }) => failures.map((name) => `FAILED  ${name}`));
  return [...names, `${sum('passed')} passed, ${sum('failed')} failed`].join('\n');
}

/**
 * Writes the tally of a Vitest run to the file that `VITEST_TALLY` names. Besides failed tests it counts what Vitest's own
 * report leaves out or takes for skipped: a file that does not load, a hook that fails, an error between tests.
 */
export default class VitestTally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failedTests = tests.filter((test) => test.result().state === 'failed');
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const failures = [
      ...failedTests.map((test) =>
        named(test.module, test.fullName, test.result().errors?.[0] as SerializedError | undefined),
      ),
      ...suites.flatMap((suite) => {
        const name = 'fullName' in suite ? suite.fullName : 'the file or its hooks';
        const module = 'module' in suite ? suite.module : suite;
        return suite.errors().map((error) => named(module, name, error));
      }),
      ...unhandled.map((error) => `between tests${reason(error.message)}`),
    ];
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const tally: Tally = { passed, failed: failures.length, failures };
    writeFileSync(process.env.VITEST_TALLY ?? 'vitest-tally.json', JSON.stringify(tally));
  }
}

const named = (module: TestModule, name: string, error?: SerializedError) =>
  `${module.relativeModuleId} › ${name}${reason(error?.message)}`;

/**
 * Leaves out JavaScriptCore's last compiler in this process's children: it costs the workers of tests, and products that live for
 * seconds, more processor time than its code gives back (a seventh of the API tests' time).
 */
export function compileForShortLives(): void {
  process.env['BUN_JSC_useFTLJIT'] ??= '0';
}

const memory = '/dev/shm';
const roomy = 4 * 1024 ** 3;

/**
 * Makes memory the folder of temporary files, of this process and those that it starts, where there is room for it: making and
 * dropping a database of a thousand small files costs a disk ten times the processor time.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR || process.platform !== 'linux') return;
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize >= roomy) process.env.TMPDIR = memory;
  } catch {
    // A system without it: the disk serves.
  }
}
