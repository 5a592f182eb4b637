import { setPriority } from 'node:os';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { projections } from '#projections/registry.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { countReaders, readStatuses } from '#projections/runtime/read-side/status.ts';
import { fastPace, gentlePace } from '#projections/runtime/rebuild/pace.ts';
import { prune } from '#projections/runtime/rebuild/prune.ts';
import { rebuildTogether } from '#projections/runtime/rebuild/rebuild.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { replayEach } from './processes.ts';
import { createProgress, pruningLines, rebuiltLine, statusLines, verifiedLines } from './report.ts';
import { withSystem } from './system.ts';
import { print } from './terminal.ts';

const namesOf = (known: readonly Projection[]) => known.map(({ name }) => name).join(', ');
const names = namesOf(projections);

export function addProjectionsCommand(program: Command): void {
  const readModels = program
    .command('projections')
    .description('The read models. Works while the product runs and while it is stopped.');

  readModels
    .command('status')
    .description('How far each projection is. Exit code 1 when one has parked events.')
    .action(() =>
      withSystem(async ({ store, pool }) => {
        const statuses = await readStatuses(pool, store, projections);
        print(statusLines(statuses));
        return statuses.every(({ parked }) => parked === 0);
      }),
    );

  readModels
    .command('rebuild')
    .argument('<name>', `${names} or all`, chosenOf(projections))
    .description('Builds projections anew from the log, beside their tables, and puts them in their place.')
    .addOption(
      new Option('--gentle', 'in small steps, so that people at work do not feel it').conflicts('fast'),
    )
    .option('--fast', 'with all that the machine has (the default is gentle while the product is serving)')
    .action((wanted: readonly Projection[], pace: WantedPace) => rebuildAll(wanted, pace));

  readModels
    .command('verify')
    .addArgument(anyOrAll())
    .description('Compares every row with what the log says. Exit code 1 when one differs.')
    .action((wanted: readonly Projection[]) =>
      withSystem(async (system, signal) => {
        const head = Number(await system.store.head());
        const show = createProgress(process.stderr);
        let equal = true;
        for (const projection of wanted) {
          const onProgress = (position: string) => show(projection.name, Number(position), head);
          const verification = await verify(system, projection, { signal, onProgress });
          print(verifiedLines(projection.name, verification));
          equal &&= verification.differences.length === 0;
        }
        return equal;
      }),
    );

  readModels
    .command('replay-parked')
    .addArgument(anyOrAll())
    .description(
      'Applies the events that were set aside, after a fix. Exit code 1 when some still cannot be applied.',
    )
    .action((wanted: readonly Projection[]) => replayEach(() => wanted));

  readModels
    .command('prune')
    .description('Drops what killed rebuilds left, and tables of older versions that no process uses.')
    .action(() =>
      withSystem(async (system) => {
        print(pruningLines(await prune(system, projections)));
        return true;
      }),
    );
}

/** All where none is named; help says so, and does not print what they are made of. */
function anyOrAll(): Argument {
  return new Argument('[name]', `${names} or all`)
    .argParser(chosenOf(projections))
    .default(projections, 'all');
}

function chosenOf(known: readonly Projection[]) {
  return (name: string): readonly Projection[] => {
    const found = known.filter((one) => name === 'all' || one.name === name);
    if (found.length === 0) throw new InvalidArgumentError(`There are ${namesOf(known)}.`);
    return found;
  };
}

/** A third of the share of a process that serves, while both want the processor. */
const gentlePriority = 5;

type WantedPace = Readonly<{ gentle?: boolean; fast?: boolean }>;

/** Rebuilds in one pass over the log: gently while the product is serving, unless asked otherwise. */
function rebuildAll(projections: readonly Projection[], wanted: WantedPace): Promise<void> {
  let replaced = 0;
  return withSystem(
    async (system, signal) => {
      const started = performance.now();
      const isGentle = wanted.gentle ?? (wanted.fast ? false : (await countReaders(system.pool)) > 0);
      // The rest between batches is for the disk and for Postgres; this leaves the processor to the processes that serve.
      if (isGentle) setPriority(gentlePriority);
      const head = Number(await system.store.head());
      const show = createProgress(process.stderr);
      const what = projections.length === 1 ? projections[0]?.name : `${projections.length} projections`;
      await rebuildTogether(system, projections, {
        signal,
        pace: isGentle ? gentlePace() : fastPace(),
        onProgress(position, step) {
          if (step === 'reading') show(`${what}${isGentle ? ' (gentle)' : ''}`, Number(position), head);
        },
        onReplaced(name, position) {
          replaced++;
          print([rebuiltLine(name, position, performance.now() - started)]);
        },
      });
      return true;
    },
    () =>
      replaced === 0 ? 'nothing was changed.' : 'what is named above is rebuilt, the rest is as it was.',
  );
}
