import { Command, InvalidArgumentError } from 'commander';
import { createLogger } from '#api/http/log.ts';
import { openDatabase } from '#api/process/database.ts';
import { configure } from '#api/process/environment.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import type { Position } from '#core/event-store/port.ts';
import { migrate } from '#migrations/run.ts';
import { printProgress, rebuiltLine, statusLines, verifiedLines } from './report.ts';
import type { Projection } from './runtime/projection.ts';
import { type RebuildDeps, rebuild } from './runtime/rebuild.ts';
import { projections } from './runtime/registry.ts';
import { readStandings, toStatuses } from './runtime/status.ts';
import { verify } from './runtime/verify.ts';

const names = projections.map(({ name }) => name);

const program = new Command('ute').description('Looks after an installation of Ute.').showHelpAfterError();

const readModels = program
  .command('projections')
  .description('The read models. Works while the product runs and while it is stopped.');

readModels
  .command('status')
  .description('How far each projection is. Exit code 1 when one has parked events.')
  .action(() =>
    withSystem(async ({ store, pool }) => {
      const head = await store.head();
      const statuses = toStatuses(projections, await readStandings(pool, names), head);
      print(statusLines(statuses));
      return statuses.every(({ parked }) => parked === 0);
    }),
  );

readModels
  .command('rebuild')
  .argument('<name>', `${names.join(', ')} or all`, chosen)
  .description('Builds a projection anew from the log, beside its tables, and puts it in their place.')
  .action((wanted: readonly Projection[]) =>
    withSystem(async (deps, signal) => {
      for (const projection of wanted) {
        const started = performance.now();
        const position = await rebuild(deps, projection, {
          signal,
          onProgress: await progressOf(deps, projection),
        });
        print([rebuiltLine(projection.name, position, performance.now() - started)]);
      }
      return true;
    }),
  );

readModels
  .command('verify')
  .argument('[name]', `${names.join(', ')} or all`, chosen, projections)
  .description('Compares every row with what the log says. Exit code 1 when one differs.')
  .action((wanted: readonly Projection[]) =>
    withSystem(async (deps, signal) => {
      let equal = true;
      for (const projection of wanted) {
        const verification = await verify(deps, projection, {
          signal,
          onProgress: await progressOf(deps, projection),
        });
        print(verifiedLines(projection.name, verification));
        equal &&= verification.differences.length === 0;
      }
      return equal;
    }),
  );

await program.parseAsync();

/** Opens the installation that the environment names, and closes it again. The exit code is 1 unless `work` answers true. */
async function withSystem(work: (deps: RebuildDeps, signal: AbortSignal) => Promise<boolean>): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('Interrupted; nothing was changed.')));
  process.once('SIGTERM', () => interrupted.abort(new Error('Interrupted; nothing was changed.')));
  try {
    await using opened = new AsyncDisposableStack();
    const config = configure(process.env);
    const log = createLogger('error');
    const database = await openDatabase(config, log, migrate);
    opened.defer(() => database.close());
    const { log: pool, url: connectionString } = database;
    const store = createEmbeddedEventStore({ pool, connectionString, dataKey: config.keys.data });
    opened.defer(() => store.close());
    process.exitCode = (await work({ store, pool, connectionString, log }, interrupted.signal)) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

function chosen(name: string): readonly Projection[] {
  const found = projections.filter((one) => name === 'all' || one.name === name);
  if (found.length === 0) throw new InvalidArgumentError(`There are ${names.join(', ')}.`);
  return found;
}

/** Shows a percentage on a terminal and nothing in a pipe. */
async function progressOf({ store }: RebuildDeps, { name }: Projection) {
  if (!process.stdout.isTTY) return () => {};
  const head = await store.head();
  return (position: Position) => printProgress(name, position, head);
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}
