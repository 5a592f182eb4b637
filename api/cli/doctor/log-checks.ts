import type { Pool } from 'pg';
import { counted } from '#api/cli/report.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { isHere } from '#api/runtime/config/production.ts';
import type { EventLog } from '#api/runtime/event-log.ts';
import { readConnectionString } from '#core/event-store/eventstoredb/connection-string.ts';
import { WrongLogError } from '#core/event-store/log-origin.ts';
import { projections } from '#projections/registry.ts';
import type { FollowingProcess } from '#projections/runtime/follow/checkpoint.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { readStatuses } from '#projections/runtime/read-side/status.ts';
import type { Check, Outcome } from './finding.ts';

type Looking = Readonly<{
  db: Pool;
  config: Config;
  log: EventLog;
  processes: readonly FollowingProcess[];
}>;

/** Whether the log answers and is the one of this database, and how far what follows it has come. */
export function logChecks({ db, config, log, processes }: Looking): Check[] {
  return [
    { name: 'event store', look: () => identity(log) },
    { name: 'event store version', look: () => version(config) },
    { name: 'event store TLS', look: async () => encryption(config) },
    { name: 'projections', look: () => followers(db, log, projections, 'ute projections replay-parked') },
    { name: 'processes', look: () => followers(db, log, processes, 'ute processes replay-parked') },
  ];
}

async function identity({ origin, unverified }: EventLog): Promise<Outcome> {
  const head = await unverified.head();
  const noted = await origin.noted();
  if (noted === null) return ['ok', `answers, ends at position ${head}; no identity is noted yet`];
  try {
    await origin.verify();
  } catch (error) {
    if (error instanceof WrongLogError) return ['wrong', error.message];
    throw error;
  }
  return ['ok', `answers, is the log of this database (${noted.kind}) and ends at position ${head}`];
}

/** How long the server may take to say its version, in milliseconds: less than a check has. */
const TIMEOUT = 4_000;

async function version({ eventStoreUrl }: Config): Promise<Outcome> {
  if (eventStoreUrl === undefined) return ['ok', 'the log is in the database'];
  // Every start looks: the client of a server that is not there would be a third of what it loads.
  const { readServerVersion, supportOf } = await import('#core/event-store/eventstoredb/administration.ts');
  const read = await readServerVersion(eventStoreUrl, TIMEOUT);
  const server = `EventStoreDB ${read ?? 'of no known version'}`;
  const support = read === null ? 'untested' : supportOf(read);
  if (support === 'supported') return ['ok', `${server} is supported`];
  return support === 'too old'
    ? ['wrong', `${server} gives no positions in streams: move the log to 23.10`]
    : ['warning', `${server} was not tested with Ute: 23.10 is the supported line`];
}

function encryption({ eventStoreUrl }: Config): Outcome {
  if (eventStoreUrl === undefined) return ['ok', 'the log is in the database'];
  const { options, hosts } = readConnectionString(eventStoreUrl);
  if (options['tls'] !== 'false') return ['ok', 'the connection is encrypted'];
  if (hosts.every((host) => isHere(host.replace(/:\d+$/, ''))))
    return ['ok', 'not encrypted, and on this machine'];
  return ['warning', 'the connection is not encrypted: take tls=false out of EVENTSTORE_URL'];
}

async function followers(
  db: Pool,
  { unverified }: EventLog,
  followed: readonly Projection[],
  replay: string,
): Promise<readonly Outcome[]> {
  const statuses = await readStatuses(db, unverified, followed);
  const found = statuses.flatMap(({ name, state, parked, position, head }): Outcome[] => {
    if (parked > 0)
      return [['wrong', `${name} has set ${counted(parked, 'event')} aside: mend the cause, then ${replay}`]];
    if (state === 'live') return [];
    const behind = `${name} is ${state} (${position} of ${head})`;
    return [['warning', `${behind}: see that a worker runs and that it advances`]];
  });
  return found.length > 0 ? found : [['ok', `${statuses.length} are up with the log`]];
}
