import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closingLine, readTally } from '#tests/support/tally.ts';
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

test('the tests of both runners are counted, a flaky one as failed', () => {
  const vitest = report({ numPassedTests: 5, numFailedTests: 2 });
  expect(readTally(vitest, false)).toEqual({ passed: 5, failed: 2 });
  const playwright = report({ stats: { expected: 3, unexpected: 1, flaky: 1 } });
  expect(readTally(playwright, false)).toEqual({ passed: 3, failed: 2 });
});

test('a runner that fails without a failed test is a failure', () => {
  expect(readTally(report({ numPassedTests: 5, numFailedTests: 0 }), false)).toEqual({
    passed: 5,
    failed: 1,
  });
});

test('a runner that leaves no report is a failure, whatever it says', () => {
  expect(readTally(join(folder.path, 'absent.json'), true)).toEqual({ passed: 0, failed: 1 });
});

test('the closing line sums all runners', () => {
  expect(
    closingLine([
      { passed: 5, failed: 0 },
      { passed: 3, failed: 2 },
    ]),
  ).toBe('8 passed, 2 failed');
});
