import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { closingLines, readTally, root, tool } from '#tests/support/run/stages.ts';

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

test('of a run of Vitest each failure is named, in a hook and between tests too', async () => {
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write(
    'tests.test.ts',
    `test('passes', () => {}); test('fails', () => { throw new Error('none\\n at x'); });`,
  );
  write(
    'hook.test.ts',
    `beforeAll(() => { throw new Error('no database'); }); test('never runs', () => {});`,
  );
  write(
    'inner.test.ts',
    `describe('jobs', () => { beforeAll(() => { throw new Error('away'); }); test('no', () => {}); });`,
  );
  write('broken.test.ts', `throw new Error('does not load');`);
  write('between.test.ts', `test('passes too', () => { Promise.reject(new Error('left alone')); });`);
  const file = join(folder.path, 'vitest.json');
  const reporter = `--reporter=${join(import.meta.dirname, '../support/run/stages.ts')}`;
  const flags = ['run', '--globals', '--root', folder.path, reporter];
  const child = Bun.spawn([...tool.vitest, ...flags], {
    cwd: root,
    env: { ...process.env, VITEST_TALLY: file },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  expect(await child.exited).toBe(1);
  const { failures, ...counts } = readTally(file, false);
  expect(counts).toEqual({ passed: 2, failed: 5 });
  expect(failures.toSorted()).toEqual([
    'between tests: left alone',
    'broken.test.ts › the file or its hooks: does not load',
    'hook.test.ts › the file or its hooks: no database',
    'inner.test.ts › jobs: away',
    'tests.test.ts › fails: none',
  ]);
});

test('the tests of Playwright are counted and named; a flaky one, one that was kept from running, and an error between tests failed', () => {
  const results = [{ error: { message: '\u001b[31mError\u001b[0m: late\nat x' } }];
  const run = (status: string, expectedStatus = 'passed', why: object[] = results) => ({
    title: `it is ${status}`,
    tests: [{ projectName: 'phone', status, expectedStatus, results: why }],
  });
  const playwright = report({
    stats: { expected: 3, unexpected: 1, flaky: 1 },
    errors: [{ message: 'route.continue: Target page has been closed\nat y' }],
    suites: [
      {
        ...{ title: 'jobs.e2e.ts', specs: [run('expected'), run('unexpected')] },
        suites: [
          {
            ...{ title: 'the list', specs: [run('flaky'), run('skipped', 'passed', [])] },
            suites: [{ title: 'left out on purpose', specs: [run('skipped', 'skipped', [])] }],
          },
        ],
      },
    ],
  });
  expect(readTally(playwright, false)).toEqual({
    ...{ passed: 3, failed: 4 },
    failures: [
      'jobs.e2e.ts › it is unexpected › phone (unexpected): Error: late',
      'jobs.e2e.ts › the list › it is flaky › phone (flaky): Error: late',
      'jobs.e2e.ts › the list › it is skipped › phone (did not run)',
      'between tests: route.continue: Target page has been closed',
    ],
  });
});

test('a runner that fails without a failed test is a failure', () => {
  expect(readTally(report({ passed: 5, failed: 0, failures: [] }), false)).toEqual({
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
