import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closingLines, readTally } from '#tests/support/tally.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder('tally');
});
afterEach(() => folder.remove());

const report = (content: object) => {
  const file = join(folder.path, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
};

test('the tests of both runners are counted and named, a flaky one as failed', () => {
  const vitest = report({
    ...{ numPassedTests: 5, numFailedTests: 1 },
    testResults: [
      {
        name: 'jobs.test.ts',
        assertionResults: [
          { fullName: 'a job is kept', status: 'passed' },
          { fullName: 'a job is found', status: 'failed', failureMessages: ['Error: none\n    at x'] },
        ],
      },
    ],
  });
  expect(readTally(vitest, false)).toEqual({
    ...{ passed: 5, failed: 1 },
    failures: ['jobs.test.ts › a job is found: Error: none'],
  });
  const results = [{ error: { message: '\u001b[31mError\u001b[0m: late\nat x' } }];
  const run = (status: string) => ({
    title: `it is ${status}`,
    tests: [{ projectName: 'phone', status, results }],
  });
  const playwright = report({
    stats: { expected: 3, unexpected: 1, flaky: 1 },
    suites: [
      {
        ...{ title: 'jobs.e2e.ts', specs: [run('expected'), run('unexpected')] },
        suites: [{ title: 'the list', specs: [run('flaky')] }],
      },
    ],
  });
  expect(readTally(playwright, false)).toEqual({
    ...{ passed: 3, failed: 2 },
    failures: [
      'jobs.e2e.ts › it is unexpected › phone (unexpected): Error: late',
      'jobs.e2e.ts › the list › it is flaky › phone (flaky): Error: late',
    ],
  });
});

test('a runner that fails without a failed test is a failure', () => {
  expect(readTally(report({ numPassedTests: 5, numFailedTests: 0 }), false)).toEqual({
    ...{ passed: 5, failed: 1 },
    failures: [],
  });
});

test('a runner that leaves no report is a failure, whatever it says', () => {
  expect(readTally(join(folder.path, 'absent.json'), true)).toEqual({
    ...{ passed: 0, failed: 1 },
    failures: [],
  });
});

test('the end names what failed and sums all runners', () => {
  expect(
    closingLines([
      { passed: 5, failed: 0, failures: [] },
      { passed: 3, failed: 1, failures: ['a job is found'] },
    ]),
  ).toBe('FAILED  a job is found\n8 passed, 1 failed');
});
