import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');

/** The command line of a tool that the packages brought, run by Bun whatever its first line says. */
export const tool = {
  astro: [process.execPath, '--bun', 'node_modules/astro/bin/astro.mjs'],
  biome: [process.execPath, '--bun', 'node_modules/@biomejs/biome/bin/biome'],
  playwright: [process.execPath, '--bun', 'node_modules/@playwright/test/cli.js'],
  tsc: [process.execPath, '--bun', 'node_modules/@typescript/native-preview/bin/tsgo'],
  types: [process.execPath, 'tests/types.ts'],
  vitest: [process.execPath, '--bun', 'node_modules/vitest/vitest.mjs'],
} as const;

export type Stage = Readonly<{ name: string; ok: boolean; seconds: number }>;

/** Runs one stage and says how long it took; a stage fails by throwing or by answering false. */
export async function runStage(name: string, work: () => Promise<unknown>): Promise<Stage> {
  const since = performance.now();
  let ok = true;
  try {
    ok = (await work()) !== false;
  } catch (error) {
    ok = false;
    console.error((error as Error).message);
  }
  return { name, ok, seconds: (performance.now() - since) / 1_000 };
}

/** One line per stage. */
export function stageTable(stages: readonly Stage[]): string {
  return stages
    .map(
      ({ name, ok, seconds }) =>
        `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s`,
    )
    .join('\n');
}

/** Runs a program that is silent while all is well; what a failed one printed comes out whole. */
export async function passes(command: readonly string[]): Promise<boolean> {
  const child = Bun.spawn([...command], { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) console.error(output + errors);
  return code === 0;
}
