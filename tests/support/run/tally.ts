import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Counts of a run's tests, and of those that failed or were flaky the full name and the first line of why. */
export type Tally = Readonly<{ passed: number; failed: number; failures: readonly string[] }>;

type Suite = { title: string; suites?: Suite[]; specs?: { title: string; ok: boolean; tests: Run[] }[] };
type Run = {
  projectName: string;
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  results?: { error?: { message?: string } }[];
};
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number };
  suites?: Suite[];
};

/**
 * Reads the tally of Vitest (vitest-tally.ts) or counts the tests of Playwright's JSON report. A runner that failed without a
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
  const { expected, unexpected, flaky } = report.stats;
  const failures = (report.suites ?? []).flatMap((suite) => browserFailures(suite, []));
  return { passed: expected, failed: unexpected + flaky, failures };
}

function browserFailures({ title, suites = [], specs = [] }: Suite, above: string[]): string[] {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, status, results = [] }) => {
        const because = reason(results.find(({ error }) => error)?.error?.message);
        return `${[...path, spec.title, `${projectName} (${status})`].join(' › ')}${because}`;
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
