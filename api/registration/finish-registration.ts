import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import { queueMessage } from '#api/messages/outbox.ts';
import { type Position, type RecordedEvent, START } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { DomainError } from '#core/kernel/errors.ts';
import { pause } from '#core/kernel/pause.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { RegistrationEvent } from '#core/registration/events.ts';
import { defaultThemeColour } from '#core/values/business.ts';
import { dropDraft, pendingHash } from './drafts.ts';
import { type OpeningDeps, openAccount } from './open-business.ts';
import { idsOf } from './registration-ids.ts';

/**
 * Carries out what a completed registration decided: password, account, business, enquiry form, and the reservations for
 * good. Runs after the event that says so, in the API and again in the worker; what is there already is left as it is.
 * Throws ConflictError when what it reserved has gone to another account before a process finished it.
 */
export async function finishRegistration(
  deps: OpeningDeps,
  completed: RegistrationEvent<'RegistrationCompleted'>['data'],
  correlation: string,
): Promise<Position> {
  const { registrationId, accountId, businessId, completedAt: at, subscribe } = completed;
  const hash = await pendingHash(deps.db, registrationId);
  const form = await deps.store.readStream(streamName('enquiryForm', businessId));
  const last = form.at(-1);
  // What is finished is left alone: by now the account may have another email, and another account this one.
  if (last && hash === null) return last.position;
  const { commandId, actor } = idsOf(registrationId);
  const input = {
    ...completed,
    theme: defaultThemeColour,
    logo: null,
    intro: '',
    newsletter: subscribe,
    isEmailAwaited: true,
  };
  const cause = { commandId, actor, correlation, at };
  const passwordHash = async () => hash;
  const position = await openAccount(deps, { accountId, businessId }, input, { cause, passwordHash });
  const welcome = { id: uuidV5(accountId, 'welcome'), kind: 'welcome', data: { accountId } };
  await queueMessage(deps.db, welcome, deps.now());
  await dropDraft(deps.db, registrationId);
  return position;
}

const PROCESS = 'finish-registrations';
const LONGEST_PAUSE_MS = 30_000;
/** How long a position may stand in memory alone while no registration is among the events, in milliseconds. */
const SAVE_WITHIN = 1_000;

/**
 * Follows the log and finishes what completed registrations decided, wherever the API did not get to it. Outages are waited
 * out; what has gone to another account meanwhile is logged and left. `stop` lets the one at work finish.
 */
export function followCompletions(deps: OpeningDeps & Pick<Deps, 'logger'>): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = follow(deps, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function follow(deps: OpeningDeps & Pick<Deps, 'logger'>, signal: AbortSignal): Promise<void> {
  let failures = 0;
  const positions = positionSaver(deps.db);
  while (!signal.aborted) {
    try {
      const from = await readPosition(deps.db);
      const filter = { categories: ['registration'] } as const;
      for await (const message of deps.store.subscribeAll(from, { filter, signal })) {
        const events = message.kind === 'events' ? message.events : [];
        for (const event of events) await finish(deps, event);
        if (events.length > 0) await positions.save(message.position);
        else positions.saveSoon(message.position);
        failures = 0;
        if (signal.aborted) break;
      }
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      deps.logger.warn({ event: 'registrations-interrupted', error: (error as Error).name, failures });
      await pause(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures), signal);
    }
  }
  await positions.stop();
}

/** Saves how far the log was followed: at once what was acted on, and within a second what was only passed. */
function positionSaver(db: Pool) {
  let passed: Position | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving = Promise.resolve();
  let isStopped = false;

  /** One after the other, so that an older position never replaces a newer one. */
  function save(position: Position): Promise<void> {
    passed = undefined;
    const saved = saving.then(() => savePosition(db, position));
    saving = saved.catch(() => {});
    return saved;
  }

  function savePassed(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (passed === undefined) return saving;
    const latest = passed;
    // Tried again: on a quiet log no message brings a next one, and a position that stays behind is taken for a stall.
    return save(latest).catch(() => {
      if (!isStopped) saveSoon(passed ?? latest);
    });
  }

  function saveSoon(position: Position): void {
    passed = position;
    timer ??= setTimeout(() => void savePassed(), SAVE_WITHIN);
  }

  return {
    save,
    saveSoon,
    stop(): Promise<void> {
      isStopped = true;
      return savePassed();
    },
  };
}

async function finish(
  deps: OpeningDeps & Pick<Deps, 'logger'>,
  { event, metadata, stream }: RecordedEvent,
): Promise<void> {
  if (event?.type !== 'RegistrationCompleted') return;
  try {
    await finishRegistration(deps, event.data, metadata.correlation);
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
