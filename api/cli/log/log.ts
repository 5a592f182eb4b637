import type { Command } from 'commander';
import { createProgress } from '#api/cli/progress.ts';
import { print, type System, withSystem } from '#api/cli/system.ts';
import { acceptRestored } from '#projections/runtime/rebuild/accept-restored.ts';
import { projections } from '#projections/runtime/registry.ts';

export function addLogCommand(program: Command): void {
  const log = program.command('log').description('The log of events that this installation belongs to.');

  log
    .command('status')
    .description(
      'Which log it is, where it ends, and whether it has all that was read of it. Else exit code 1.',
    )
    .action(() => withSystem(showStatus, undefined, { anyLog: true }));

  log
    .command('accept-restored')
    .description(
      'Takes a log that was restored from a copy for the installation’s own: read models that had read more are built anew, what acts on it (the outbox among others) reads it from its start. Nothing is sent twice.',
    )
    .action(() => withSystem(accept, () => 'the same command again goes on.', { anyLog: true }));
}

async function showStatus({ eventLog: { origin, unverified } }: System): Promise<boolean> {
  const noted = await origin.noted();
  await origin.verify({ restoredToo: true });
  const [lost, head] = [await origin.lost(), await unverified.head()];
  print([
    noted ? `${noted.kind}, begins with event ${noted.firstEvent}` : 'no identity noted before',
    `ends at position ${head}`,
    ...lost.map(
      ({ name, position }) => `${name} had read up to position ${position}, which is not in the log`,
    ),
  ]);
  return lost.length === 0;
}

async function accept(system: System, signal: AbortSignal): Promise<boolean> {
  const { origin, unverified: store } = system.eventLog;
  await origin.verify({ restoredToo: true });
  const show = createProgress(process.stderr);
  const head = Number(await store.head());
  const accepted = await acceptRestored(
    { ...system, store },
    origin,
    { projections, processes: system.processes },
    {
      signal,
      onProgress(position, step) {
        if (step === 'reading') show('read models', Number(position), head);
      },
    },
  );
  print([
    ...accepted.takenBack.map((name) => `${name}: reads the log from its start`),
    ...accepted.rebuilt.map((name) => `${name}: rebuilt`),
    ...(accepted.takenBack.length + accepted.rebuilt.length === 0
      ? ['nothing to do: the log has all that was read of it']
      : []),
  ]);
  return true;
}
