import { startChores } from '#api/background/chores.ts';
import { backupSources, startBackups } from '#api/backup/scheduled.ts';
import { configuredProviders, startSender } from '#api/outbox/sender.ts';
import type { ErasureDeps } from '#api/privacy/carry-out.ts';
import { startProving } from '#api/proof/process.ts';
import type { Database } from '#api/runtime/database.ts';
import { type EventLog, openRawLog } from '#api/runtime/event-log.ts';
import type { Telemetry } from '#api/runtime/telemetry/port.ts';
import type { FollowingProcess } from '#projections/runtime/follow/checkpoint.ts';
import { leadWhenPossible } from '#projections/runtime/leader.ts';
import type { ProgressChannel } from '#projections/runtime/notify.ts';
import { startProjections } from '#projections/worker.ts';
import type { Deps, Messages } from './deps.ts';
import { createChores, erasingChore, messageKinds, outbox } from './rooms.ts';

type WorkersDeps = Readonly<{
  deps: Deps;
  database: Database;
  log: EventLog;
  /** Tells the read side of this process where the read models are. */
  progress: ProgressChannel;
  processes: readonly FollowingProcess[];
  erasing: ErasureDeps;
  telemetry: Telemetry | undefined;
}>;

export type Workers = Messages &
  Readonly<{
    /** Lets the read models and the processes follow the log. Bears a repeat. */
    follow(): void;
    /** Starts what acts on people and on the outside world: messages, chores, proof and backups. Bears a repeat. */
    act(): void;
    stop(): Promise<void>;
  }>;

type Running = Readonly<{ stop(): unknown }>;

/** What works behind the scenes of a process, beside its answers to requests. */
export function createWorkers(given: WorkersDeps): Workers {
  const { deps, database, log, progress, erasing, telemetry } = given;
  const { logger } = deps;
  const { log: pool, url: connectionString } = database;
  const mailAndSms = configuredProviders(deps);
  const delivery = {
    deps,
    kinds: messageKinds,
    ...(telemetry ? tracedDelivery(mailAndSms, telemetry) : mailAndSms),
  };
  let following: Running | undefined;
  let sender: ReturnType<typeof startSender> | undefined;
  const notify = () => sender?.notify();
  // Only once it is committed.
  const stopProgress = progress.listen(({ projection, hasWritten }) => {
    if (projection === outbox.name && hasWritten) notify();
  });
  const startSending = () => {
    sender = startSender(delivery);
    return sender;
  };
  const starts: readonly (() => Running)[] = [
    startSending,
    () => startChores({ ...deps, erasing }, [createChores(), [erasingChore]]),
    ...provingStarts(given),
  ];
  const acting: Running[] = [];

  return {
    notify,
    follow() {
      const { aroundBatch } = telemetry ?? {};
      const { store } = log;
      following ??= startProjections({
        store,
        pool,
        connectionString,
        logger,
        progress,
        processes: given.processes,
        aroundBatch,
      });
    },
    act() {
      for (const start of starts.slice(acting.length)) acting.push(start());
    },
    async stop() {
      await Promise.all(acting.map((one) => one.stop()));
      delivery.mail.close?.();
      await stopProgress();
      await following?.stop();
    },
  };
}

function tracedDelivery(
  { mail, sms }: ReturnType<typeof configuredProviders>,
  { traceProvider, aroundMessage }: Telemetry,
) {
  return { mail: traceProvider(mail), sms: traceProvider(sms), aroundMessage: aroundMessage<void> };
}

/** Proof where it is signed, and backups, which need its key. */
function provingStarts({ deps, database, log }: WorkersDeps): (() => Running)[] {
  const { config, logger, now } = deps;
  const { proof, backup } = config;
  if (!proof) return [];
  const { log: pool, url: connectionString } = database;
  const openLog = () => openRawLog(config, database);
  const common = { pool, connectionString, logger };
  const prove = () =>
    startProving({ ...common, config: { ...config, proof }, log: log.stored, openLog, now });
  const { to, recipient } = backup;
  if (!to || !recipient) return [prove];
  const backUp = () =>
    startBackups({
      ...common,
      lead: (signal, work) =>
        leadWhenPossible({ keys: ['backup'], connectionString, log: logger, signal }, (_, led) => work(led)),
      async open() {
        const raw = await openLog();
        return {
          sources: backupSources(config, { to, recipient }, { pool, log: raw, proof: deps.proof }),
          close: raw.close,
        };
      },
    });
  return [prove, backUp];
}
