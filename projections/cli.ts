import { Command, InvalidArgumentError } from 'commander';
import type { Pool } from 'pg';
import type { Config } from '#api/config.ts';
import { createLogger } from '#api/http/log.ts';
import { openDatabase } from '#api/process/database.ts';
import { configure } from '#api/process/environment.ts';
import { planProblem, type VolumePlan } from '#api/seed/volume/invent-volume.ts';
import { seedVolume } from '#api/seed/volume/seed-volume.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import type { Position } from '#core/event-store/port.ts';
import { migrate } from '#migrations/run.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { createProgress } from './progress.ts';
import { printProgress, rebuiltLine, seededLines, statusLines, verifiedLines } from './report.ts';
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

program
  .command('seed')
  .description(
    'Fills the installation with invented businesses and jobs, for trying and measuring it at size.',
  )
  .option('--businesses <n>', 'how many businesses', Number, 20)
  .option('--jobs <n>', 'how many jobs, spread over the businesses', Number, 1_000)
  .option(
    '--heavy <n>',
    'how many more jobs for the first business, which then gets none of the others',
    Number,
    0,
  )
  .option('--seed <n>', 'the same number gives the same data', Number, 1)
  .option('--as-of <instant>', 'when "today" is in the data', instant, startOfToday())
  .option('--yes-really', 'also into an installation that runs in production')
  .action(({ asOf, yesReally, ...amounts }: SeedOptions) => {
    const plan = { ...amounts, now: asOf };
    const problem = planProblem(plan);
    if (problem) program.error(problem);
    return withSystem(async (system, signal) => {
      if (system.config.environment === 'production' && !yesReally)
        throw new Error('This installation runs in production: --yes-really puts invented data into it.');
      const started = performance.now();
      const show = createProgress();
      const now = () => new Date();
      const seeded = await seedVolume({ ...system, now }, plan, { signal, onProgress: show });
      const head = Number(await system.store.head());
      const onProgress = (name: string, position: Position) => show(name, Number(position), head);
      await bringUpToDate(system, projections, { signal, onProgress });
      print(seededLines(seeded, performance.now() - started));
      return true;
    }, 'the same command again adds the rest.');
  });

await program.parseAsync();

type SeedOptions = Omit<VolumePlan, 'now'> & Readonly<{ asOf: Date; yesReally?: boolean }>;

type System = RebuildDeps & Readonly<{ config: Config; db: Pool }>;

/** Opens the installation that the environment names, and closes it again. The exit code is 1 unless `work` answers true. */
async function withSystem(
  work: (system: System, signal: AbortSignal) => Promise<boolean>,
  whenInterrupted = 'nothing was changed.',
): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error(`Interrupted; ${whenInterrupted}`));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    await using opened = new AsyncDisposableStack();
    const config = configure(process.env);
    const log = createLogger('error');
    const database = await openDatabase(config, log, migrate);
    opened.defer(() => database.close());
    const { log: pool, requests: db, url: connectionString } = database;
    const store = createEmbeddedEventStore({ pool, connectionString, dataKey: config.keys.data });
    opened.defer(() => store.close());
    process.exitCode = (await work({ store, pool, db, connectionString, log, config }, interrupted.signal))
      ? 0
      : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

function instant(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('An instant, such as 2026-11-20T00:00:00Z.');
  return time;
}

/** In UTC: whoever seeds again on the same day gets the same data. */
function startOfToday(): Date {
  return new Date(new Date().setUTCHours(0, 0, 0, 0));
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
