import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { reason, type Tally } from './tally.ts';

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
