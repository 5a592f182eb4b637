import { ensurePackages, ensureSite } from '#api/runtime/launch/build.ts';
import { root, tool } from '#tests/support/run/stages.ts';

/** Rounds of each fault; where a test kills at random points, these are its points. */
const ALL_ROUNDS = '20';

/**
 * Every fault with all its rounds; the suite itself makes do with two. Takes minutes. Arguments go to vitest, for
 * example part of a file's name; `FAULT_ROUNDS` sets another number of rounds.
 */
await ensurePackages();
await ensureSite();
const rounds = process.env.FAULT_ROUNDS ?? ALL_ROUNDS;
const command = [...tool.vitest, 'run', '--project', 'faults', '--maxWorkers', '1', ...process.argv.slice(2)];
const child = Bun.spawn(command, {
  cwd: root,
  env: { ...process.env, FAULT_ROUNDS: rounds },
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.exit(await child.exited);
