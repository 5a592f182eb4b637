import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Counts of a run's tests, and of those that failed or were flaky the full name and the first line of why. */
export type Tally = Readonly<{ passed: number; failed: number; failures: readonly string[] }>;

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults?: { name: string; assertionResults: Assertion[] }[];
};
type Assertion = { fullName: string; status: string; failureMessages?: string[] };
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
 * Counts the tests of a JSON report of Vitest or Playwright. A runner that failed without a failed test (a file that
 * does not load, an error between tests, no report at all) counts as one failure.
 */
export function readTally(file: string, runnerPassed: boolean): Tally {
  const report = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport | PlaywrightReport)
    : null;
  const { passed, failed, failures } = report ? count(report) : { passed: 0, failed: 0, failures: [] };
  const sound = runnerPassed && report !== null;
  return { passed, failed: failed === 0 && !sound ? 1 : failed, failures };
}

function count(report: VitestReport | PlaywrightReport): Tally {
  if ('stats' in report) {
    const { expected, unexpected, flaky } = report.stats;
    const failures = (report.suites ?? []).flatMap((suite) => browserFailures(suite, []));
    return { passed: expected, failed: unexpected + flaky, failures };
  }
  const failures = (report.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${name} › ${fullName}${why(failureMessages?.[0])}`),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests, failures };
}

function browserFailures({ title, suites = [], specs = [] }: Suite, above: string[]): string[] {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, status, results = [] }) => {
        const reason = why(results.find(({ error }) => error)?.error?.message);
        return `${[...path, spec.title, `${projectName} (${status})`].join(' › ')}${reason}`;
      }),
  );
  return [...own, ...suites.flatMap((suite) => browserFailures(suite, path))];
}

function why(message?: string): string {
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
