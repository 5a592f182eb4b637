import { root, runStage, stageTable, tool } from './support/check-stage.ts';

/** Format and lint, types, and the tests that boot nothing: what every change passes before it is shared. */
const checks: Record<string, readonly string[]> = {
  biome: [...tool.biome, 'check', '.'],
  types: [...tool.tsc, '-p', '.'],
  'site types': [...tool.astro, 'check', '--root', './site'],
  tests: [...tool.vitest, 'run', ...['unit', 'site*', 'architecture'].flatMap((name) => ['--project', name])],
};

/** Says nothing while all is well; what a failed check printed comes out whole. */
async function passes(command: readonly string[]): Promise<boolean> {
  const child = Bun.spawn([...command], { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) console.error(output + errors);
  return code === 0;
}

const stages = await Promise.all(
  Object.entries(checks).map(([name, command]) => runStage(name, () => passes(command))),
);
console.log(stageTable(stages));
process.exit(stages.every((stage) => stage.ok) ? 0 : 1);
