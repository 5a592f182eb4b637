import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSite } from '#api/runtime/launch/build.ts';
import {
  closingLines,
  passes,
  readTally,
  root,
  runStage,
  type Stage,
  stageTable,
  type Tally,
  tool,
} from '#tests/support/run/stages.ts';

const reports = mkdtempSync(join(tmpdir(), 'ute-reports-'));
const stages: Stage[] = [];
const tallies: Tally[] = [];

/** A stage that the tests cannot do without: when it fails, the run is over. */
async function prepare(name: string, work: () => Promise<void>): Promise<void> {
  const stage = await runStage(name, work);
  stages.push(stage);
  if (!stage.ok) finish({ passed: 0, failed: 1, failures: [name] });
}

/** A stage that the tests can do without: when it fails, they run all the same. */
async function check(name: string, work: () => Promise<boolean>): Promise<void> {
  const stage = await runStage(name, work);
  stages.push(stage);
  tallies.push({ passed: 0, failed: stage.ok ? 0 : 1, failures: stage.ok ? [] : [name] });
}

async function runTests(name: string, command: readonly string[]): Promise<void> {
  const report = join(reports, `${name}.json`);
  const stage = await runStage(name, async () => {
    const child = Bun.spawn([...command], {
      cwd: root,
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report, VITEST_TALLY: report },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return (await child.exited) === 0;
  });
  stages.push(stage);
  tallies.push(readTally(report, stage.ok));
}

async function findBrowser(): Promise<void> {
  const { findChromium, findFirefox, howToGetChromium, howToGetFirefox } = await import(
    './support/browser/browsers.ts'
  );
  if (!findChromium())
    throw new Error(`No Chromium found for the browser tests. Get one: ${howToGetChromium()}`);
  if (!findFirefox())
    console.log(`No Firefox found: the journey in Firefox is left out. Get one: ${howToGetFirefox()}`);
}

function finish(...more: Tally[]): never {
  rmSync(reports, { recursive: true, force: true });
  console.log(`\n${stageTable(stages)}\n\n${closingLines([...tallies, ...more])}`);
  process.exit(stages.every((stage) => stage.ok) ? 0 : 1);
}

await prepare('browser', findBrowser);
await Promise.all([
  prepare('site', ensureSite),
  check('biome', () => passes([...tool.biome, 'check', '.'])),
  check('types', () => passes(tool.types)),
]);
await runTests('vitest', [
  ...tool.vitest,
  'run',
  '--reporter=default',
  '--reporter=./tests/support/run/stages.ts',
]);
await runTests('playwright', [...tool.playwright, 'test', '--reporter=list,json']);
finish();
