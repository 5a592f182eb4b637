import type { LogOrigin } from '#core/event-store/log-origin.ts';
import { START } from '#core/event-store/port.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { moveCheckpoint } from '#projections/runtime/follow/checkpoint.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { type RebuildDeps, type RebuildOptions, rebuildTogether } from './rebuild.ts';

type Followers = Readonly<{ projections: readonly Projection[]; processes: readonly Projection[] }>;

/** What was taken back to the start of the log, and what was built anew. */
export type Accepted = Readonly<{ takenBack: readonly string[]; rebuilt: readonly string[] }>;

/**
 * Takes a log that was restored from a copy for the installation's own: every reader whose position it does not have is
 * built anew (read models), or reads from its start (processes). Nothing is sent twice: a message has the id of
 * its event, its row in the outbox stays for ever, and what is older than a day is no news. Killed, the same call goes on.
 */
export async function acceptRestored(
  deps: RebuildDeps,
  origin: LogOrigin,
  { projections, processes }: Followers,
  options: RebuildOptions = {},
): Promise<Accepted> {
  const lost = await origin.lost();
  const isLost = ({ name }: Projection) => lost.some((reader) => reader.name === name);
  const takenBack: string[] = [];
  for (const { name, position } of lost) {
    const process = processes.find((one) => one.name === name);
    if (process === undefined) continue;
    const checkpoint = { ...liveBuild(process), version: process.version };
    await inTransaction(deps.pool, (db) => moveCheckpoint(db, checkpoint, position, START));
    takenBack.push(name);
  }
  const ahead = projections.filter(isLost);
  if (ahead.length > 0) await rebuildTogether(deps, ahead, options);
  await origin.note();
  return { takenBack, rebuilt: ahead.map(({ name }) => name) };
}
