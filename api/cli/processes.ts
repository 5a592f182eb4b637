import { type Command, InvalidArgumentError } from 'commander';
import { processes } from '#api/rooms.ts';
import { replayParked } from '#projections/runtime/follow/replay-parked.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { readStatuses } from '#projections/runtime/read-side/status.ts';
import { processLines, replayLines } from './report.ts';
import { type System, withSystem } from './system.ts';
import { print } from './terminal.ts';

const names = processes.map(({ name }) => name);

type Options = Readonly<{ json?: boolean }>;

export function addProcessesCommand(program: Command): void {
  const command = program
    .command('processes')
    .description(
      'What follows the log and acts: the outbox of messages, and what finishes what a request began. Works while the product runs and while it is stopped.',
    );

  command
    .command('status')
    .description('How far each process is. Exit code 1 when one has parked events.')
    .option('--json', 'one line of JSON: [{ name, state, position, head, parked }]')
    .action(({ json = false }: Options) =>
      withSystem(async ({ store, pool, processes }) => {
        const statuses = await readStatuses(pool, store, processes);
        const shown = statuses.map(({ version: _, ...status }) => status);
        print(json ? [JSON.stringify(shown)] : processLines(shown));
        return shown.every(({ parked }) => parked === 0);
      }),
    );

  command
    .command('replay-parked')
    .argument('[name]', `${names.join(', ')} or all`, known, 'all')
    .option('--json', 'a line of JSON for each process: { name, applied, remaining }')
    .description(
      'Acts on the events that were set aside, after a fix. Exit code 1 when some still cannot be acted on.',
    )
    .action((wanted: string, { json = false }: Options) =>
      replayEach(
        ({ processes }) => processes.filter(({ name }) => wanted === 'all' || name === wanted),
        json,
      ),
    );
}

function known(name: string): string {
  if (name !== 'all' && !names.includes(name)) {
    throw new InvalidArgumentError(`There are ${names.join(', ')}.`);
  }
  return name;
}

/**
 * Applies what these followers of the log have set aside, one after the other, and prints how many events went through and
 * which did not: in lines, or as a line of JSON each. Exit code 1 when some still cannot be applied.
 */
export function replayEach(wanted: (system: System) => readonly Projection[], json = false): Promise<void> {
  return withSystem(
    async (system, signal) => {
      let isWhole = true;
      for (const follower of wanted(system)) {
        signal.throwIfAborted();
        const replay = await replayParked(system, follower);
        const { name } = follower;
        print(json ? [JSON.stringify({ name, ...replay })] : replayLines(name, replay));
        isWhole &&= replay.remaining.length === 0;
      }
      return isWhole;
    },
    () => 'what is named above was applied; the same command again goes on.',
  );
}
