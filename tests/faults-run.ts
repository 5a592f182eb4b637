import { ensurePackages, ensureSite } from '#api/runtime/launch/build.ts';
import { root, tool } from '#tests/support/run/stages.ts';

/** Rounds of each fault; where a test kills at random points, these are its points. */
const ALL_ROUNDS = '20';

/**
 * Every fault with all its rounds; the suite itself makes do with one. Takes minutes. Arguments are beginnings of files' names,
 * then options of Vitest; `FAULT_ROUNDS` sets another number of rounds.
 */
await ensurePackages();
await ensureSite();
const rounds = process.env.FAULT_ROUNDS ?? ALL_ROUNDS;
const given = process.argv.slice(2);
const firstOption = given.findIndex((word) => word.startsWith('-'));
const names = firstOption < 0 ? given : given.slice(0, firstOption);
const options = given.slice(names.length);
const files = (names.length > 0 ? names : ['']).map((name) => `tests/faults/${name}`);
const command = [...tool.vitest, 'run', '--project', 'database', '--maxWorkers', '1', ...files, ...options];
const child = Bun.spawn(command, {
  cwd: root,
  env: { ...process.env, FAULT_ROUNDS: rounds },
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exit(await child.exited);
