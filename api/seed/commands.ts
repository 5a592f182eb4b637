import { type Command, InvalidArgumentError } from 'commander';
import { createProgress, seededLines } from '#api/cli/report.ts';
import { withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import type { Config } from '#api/runtime/config/config.ts';
import type { VolumePlan } from '#api/seed/volume/seed-volume.ts';
import type { Position } from '#core/event-store/port.ts';
import { bringUpToDate } from '#projections/bring-up-to-date.ts';
import { projections } from '#projections/registry.ts';

type SeedOptions = Omit<VolumePlan, 'now'> & Readonly<{ asOf: Date; yesReally?: boolean }>;

export function addSeedCommand(program: Command): void {
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
    .action(async ({ asOf, yesReally, ...amounts }: SeedOptions) => {
      // Here alone: what invents people takes half a second to load.
      const { planProblem } = await import('#api/seed/volume/seed-volume.ts');
      const { seedVolume } = await import('#api/seed/volume/seed-volume.ts');
      const plan = { ...amounts, now: asOf };
      const problem = planProblem(plan);
      if (problem) program.error(problem);
      return withSystem(
        async (system, signal) => {
          refuse(system.config, yesReally);
          const started = performance.now();
          const show = createProgress();
          const seeded = await seedVolume(system, plan, {
            signal,
            onProgress: show,
          });
          await system.eventLog.origin.note();
          const head = Number(await system.store.head());
          const onProgress = (name: string, position: Position) => show(name, Number(position), head);
          await bringUpToDate(system, projections, { signal, onProgress });
          print(seededLines(seeded, performance.now() - started));
          return true;
        },
        () => 'the same command again adds the rest.',
      );
    });
}

/** Invented people belong neither among real ones nor, in bulk, into a log that is not in our database. */
function refuse({ environment, eventStoreUrl }: Config, yesReally: boolean | undefined): void {
  if (eventStoreUrl !== undefined)
    throw new Error('EVENTSTORE_URL is set: ute seed fills the log in Postgres alone.');
  if (environment === 'production' && !yesReally)
    throw new Error('This installation runs in production: --yes-really puts invented data into it.');
}

function instant(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('An instant, such as 2026-11-20T00:00:00Z.');
  return time;
}

/** In UTC: a second seed on the same day gets the same data. */
function startOfToday(): Date {
  return new Date(new Date().setUTCHours(0, 0, 0, 0));
}
