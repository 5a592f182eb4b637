import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import { pause } from '#core/event-store/outage.ts';
import { type Position, type RecordedEvent, START } from '#core/event-store/port.ts';
import { DomainError } from '#core/kernel/errors.ts';
import type { RegistrationEvent } from '#core/registration/events.ts';
import { type FinishingDeps, finishRegistration } from './finish-registration.ts';

const PROCESS = 'finish-registrations';
const LONGEST_PAUSE_MS = 30_000;

/**
 * Follows the log and finishes what completed registrations decided, wherever the API did not get to it. Outages are waited
 * out; what has gone to somebody else meanwhile is logged and left. `stop` lets the one at work finish.
 */
export function followCompletions(deps: FinishingDeps & Pick<Deps, 'logger'>): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = follow(deps, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function follow(deps: FinishingDeps & Pick<Deps, 'logger'>, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const from = await readPosition(deps.db);
      const filter = { categories: ['registration'] } as const;
      for await (const message of deps.store.subscribeAll(from, { filter, signal })) {
        if (message.kind === 'events') for (const event of message.events) await finish(deps, event);
        await savePosition(deps.db, message.position);
        failures = 0;
        if (signal.aborted) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      deps.logger.warn({ event: 'registrations-interrupted', error: (error as Error).name, failures });
      await pause(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures), signal);
    }
  }
}

async function finish(
  deps: FinishingDeps & Pick<Deps, 'logger'>,
  { event, metadata, stream }: RecordedEvent,
): Promise<void> {
  const fact = event as RegistrationEvent | undefined;
  if (fact?.type !== 'RegistrationCompleted') return;
  try {
    await finishRegistration(deps, fact.data, metadata.correlation);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    deps.logger.error({ event: 'registration-cannot-finish', stream, reason: error.name });
  }
}

async function readPosition(db: Pool): Promise<Position> {
  const { rows } = await db.query<{ position: Position }>(
    'select position from state.process_positions where process = $1',
    [PROCESS],
  );
  return rows[0]?.position ?? START;
}

async function savePosition(db: Pool, position: Position): Promise<void> {
  await db.query(
    `insert into state.process_positions (process, position) values ($1, $2)
     on conflict (process) do update set position = excluded.position`,
    [PROCESS, position],
  );
}
