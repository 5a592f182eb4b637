import { passes, runStage, stageTable, tool } from '#tests/support/run/stages.ts';

/** Format and lint, types, and the tests that boot nothing: what every change passes before it is shared. */
const projects = ['unit', 'site*', 'architecture'].flatMap((name) => ['--project', name]);
const stages = await Promise.all([
  runStage('biome', () => passes([...tool.biome, 'check', '.'])),
  runStage('types', () => passes(tool.types)),
  runStage('tests', () => passes([...tool.vitest, 'run', ...projects])),
]);
console.log(stageTable(stages));
process.exit(stages.every((stage) => stage.ok) ? 0 : 1);
