import { existsSync, readFileSync } from 'node:fs';

export type Tally = Readonly<{ passed: number; failed: number }>;

type VitestReport = { numPassedTests: number; numFailedTests: number };
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number } };

/**
 * Counts the tests of a JSON report of Vitest or Playwright. A runner that failed without a failed test (a file that
 * does not load, an error between tests, no report at all) counts as one failure.
 */
export function readTally(file: string, runnerPassed: boolean): Tally {
  const report = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as VitestReport | PlaywrightReport)
    : null;
  const { passed, failed } = report ? count(report) : { passed: 0, failed: 0 };
  const sound = runnerPassed && report !== null;
  return { passed, failed: failed === 0 && !sound ? 1 : failed };
}

function count(report: VitestReport | PlaywrightReport): Tally {
  if ('stats' in report) {
    const { expected, unexpected, flaky } = report.stats;
    return { passed: expected, failed: unexpected + flaky };
  }
  return { passed: report.numPassedTests, failed: report.numFailedTests };
}

/** The closing line of a run. */
export function closingLine(tallies: readonly Tally[]): string {
  const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed`;
}
