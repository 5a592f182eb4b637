import '#core/kernel/schema-settings.ts';
import type { Logger } from 'pino';
import { BUSINESS_READ_MODELS } from '#api/businesses/change-business.ts';
import { createWhereabouts } from '#api/businesses/whereabouts.ts';
import type { Opened } from '#api/cli/doctor/doctor.ts';
import { createLogger } from '#api/http/log.ts';
import { createPageCache, withPublicForms } from '#api/intake/public-form/form-pages.ts';
import { JOB_READ_MODELS } from '#api/jobs/change-job.ts';
import { outboxClosed } from '#api/outbox/dev-access.ts';
import { withLinkPages } from '#api/pages/cached-pages.ts';
import { createPages, type Pages, providerSources } from '#api/pages/pages.ts';
import type { ErasureDeps } from '#api/privacy/carry-out.ts';
import { fileLedger } from '#api/privacy/ledger.ts';
import { applyLedger } from '#api/privacy/remains.ts';
import { openCheckpointStore } from '#api/proof/checkpoint-store.ts';
import { refuseCutLog } from '#api/proof/epochs.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { logKeysOf } from '#api/runtime/config/proof.ts';
import { connectDatabase, type Database } from '#api/runtime/database.ts';
import { configure } from '#api/runtime/environment.ts';
import { type EventLog, guardStore, openEventLog } from '#api/runtime/event-log.ts';
import { listen } from '#api/runtime/listen.ts';
import { type StartResult, startOrRetry } from '#api/runtime/start-or-retry.ts';
import { openTelemetry } from '#api/runtime/telemetry/telemetry.ts';
import { type Demo, seedDemoBusiness } from '#api/seed/demo-business.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { hearDestroyedKeys } from '#core/event-store/subject-keys.ts';
import { migrate } from '#migrations/run.ts';
import { projections } from '#projections/registry.ts';
import { openProcess } from '#projections/runtime/follow/checkpoint.ts';
import { createProgressChannel } from '#projections/runtime/notify.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { type StallWatch, watchStalls } from '#projections/runtime/read-side/stalls.ts';
import { readReaderPositions } from '#projections/runtime/read-side/status.ts';
import { createApp, createWorkerApp, linkPages } from './app.ts';
import { completing } from './complete-database.ts';
import type { Deps } from './deps.ts';
import { followingProcesses, processNames } from './rooms.ts';
import { createServices } from './services.ts';
import { createWorkers } from './workers.ts';

/** How long an erasure waits for the read models before it is tried again, in milliseconds. */
const ERASURE_WAIT = 30_000;
const ERASED_READ_MODELS = [...JOB_READ_MODELS, ...BUSINESS_READ_MODELS];
const DIST = new URL('../dist', import.meta.url).pathname;

/**
 * Builds everything from the environment and listens; while the database or the log is unavailable, it listens all the same,
 * refuses what needs them, and goes on by itself once they answer. Throws an error whose first line is for the operator;
 * then nothing is left running. `stop` answers what is in flight (10 s at most), then closes all that was opened.
 */
export async function startUte(environment: Readonly<Record<string, string | undefined>>): Promise<Running> {
  const config = configure(environment);
  await using opened = new AsyncDisposableStack();
  const logger = createLogger(config.logLevel);
  const stopping = new AbortController();

  // They need no database: they are read while it starts.
  const pages = config.role === 'worker' ? null : readPages(config);
  pages?.catch(() => {});
  const telemetry = await openTelemetry(config.telemetry, { role: config.role, logger });
  // Last of all: what the stop itself does is traced too.
  opened.defer(() => telemetry?.stop());
  const traced = telemetry?.traceStore ?? ((store: EventStore) => store);
  const database = await connectDatabase(config, logger, migrate, completing(config));
  opened.defer(() => database.close());
  const readers = () => readReaderPositions(database.log, [...projections, ...processNames]);
  const log = await openEventLog(config, database, logger, readers);
  opened.defer(() => log.close());
  const { store, stored } = log;
  const { url: connectionString, requests: db, log: pool } = database;
  const services = createServices({
    config,
    logger,
    db,
    store: traced(guardStore(store, log.breaker)),
    stored,
  });
  opened.defer(hearDestroyedKeys(connectionString, [log.subjectKeys, services.subjectKeys]));
  // What puts something into the outbox has it sent at once, where this process sends.
  const messages = config.role === 'api' ? {} : { messages: { notify: () => workers?.notify() } };
  const { now } = services;
  const processes = followingProcesses({ config, db: pool, store: traced(store), now, logger, ...messages });
  const progress = createProgressChannel();
  const readSide = createReadSide({
    ...{ pool, connectionString, store, progress, projections: [...projections, ...processes] },
  });
  opened.defer(() => readSide.close());
  const deps: Deps = {
    ...services,
    ...messages,
    rowsOf: database.rowsOf,
    readSide,
    whereabouts: createWhereabouts({ db, readSide }),
    isStale: log.breaker.isOpen,
    stalls: () => stallWatch?.stalls() ?? [],
    stopping: stopping.signal,
    requestSpans: telemetry?.requests,
  };
  const erasing: ErasureDeps = {
    ...{ store: traced(store), subjectKeys: log.subjectKeys, files: deps.files, now, logger },
    ...{ everyRow: pool, ledger: fileLedger(config.erasuresTo) },
    awaitReadModels: async (position) =>
      (await readSide.waitFor(ERASED_READ_MODELS, position, ERASURE_WAIT)) === 'caught-up',
  };
  const workers =
    config.role === 'api'
      ? null
      : createWorkers({ deps, database, log, progress, processes, erasing, telemetry });
  opened.defer(() => workers?.stop());
  let stallWatch: StallWatch | undefined;
  opened.defer(() => stallWatch?.stop());
  const prepare = async () => {
    await prepareLog(config, database, log);
    stallWatch ??= watchStalls({ readers, head: store.head, origin: log.origin, logger });
    for (const process of processes) await openProcess({ pool, store }, process);
    workers?.follow();
    // Before anything is served or sent: a restore may have brought people back.
    await applyLedger(erasing);
    workers?.act();
    // What starts the product may take its time: the limits of requests are not for it.
    return seedDemo({ ...deps, store, db: pool }, connectionString);
  };
  const prepared = await startOrRetry(prepare, { signal: stopping.signal, logger });
  opened.defer(() => prepared.settled);
  opened.defer(() => stopping.abort());
  const listening = listen(await createFor(deps, pages), config);
  opened.defer(() => listening.stop());
  opened.defer(() => stopping.abort());
  logger.info({ event: prepared.isDone ? 'ready' : 'listening', role: config.role, port: config.port });
  const examined = { config, db: pool, log, processes };
  void prepared.settled.then(() => warnOfFaults(examined, logger, stopping.signal));
  return running(config, prepared, opened.move());
}

/** Brings the database to the shape that the code needs, and refuses a log that is another one or was cut. */
async function prepareLog(config: Config, database: Database, { store, stored }: EventLog): Promise<void> {
  await database.prepare();
  // Before a row is touched: the store compares the log with the one that this database belongs to.
  await store.head();
  if (config.proof === null) return;
  const outlet = openCheckpointStore(config.proof, config.backup);
  await refuseCutLog(database.log, stored, outlet, logKeysOf(config.proof));
}

/** Says in the log what is wrong with the installation, once it has started: what `ute doctor` shows. */
async function warnOfFaults(opened: Opened, logger: Logger, stopping: AbortSignal): Promise<void> {
  const { examineRunning } = await import('#api/cli/doctor/doctor.ts');
  const findings = await examineRunning(opened).catch(() => []);
  if (stopping.aborted) return;
  for (const { check, state, line } of findings) {
    if (state !== 'ok') logger.warn({ event: 'doctor', check, state, message: line });
  }
}

function readPages({ publicOrigin: origin, environment, ...config }: Config): Promise<Pages> {
  const development = environment !== 'production';
  const operatorEmail = config.product.contact?.email;
  return createPages({
    distDir: DIST,
    origin,
    development,
    operatorEmail,
    providers: providerSources(config),
  });
}

async function createFor(deps: Deps, pages: Promise<Pages> | null) {
  if (pages === null) return createWorkerApp(deps);
  const { render, has: hasPage, renders: rendersPage } = await pages;
  const cache = createPageCache(deps.readSide);
  const withForms = withLinkPages(withPublicForms(render, deps, cache), linkPages(deps));
  return createApp({ ...deps, pages: withForms, hasPage, rendersPage, cachedPage: cache.fresh });
}

/** Outside production there is a business to look at. */
async function seedDemo(deps: Deps, connectionString: string): Promise<Demo | null> {
  if (deps.config.environment === 'production' || deps.config.role === 'worker') return null;
  return seedDemoBusiness(deps, connectionString);
}

function running(config: Config, prepared: StartResult<Demo | null>, opened: AsyncDisposableStack): Running {
  const url = config.publicOrigin;
  const demo = prepared.answer ?? null;
  return {
    url,
    isReady: prepared.isDone,
    publicForm: demo && `${url}/t/${demo.slug}`,
    demo: demo && { email: demo.email, password: demo.password },
    outbox: outboxClosed(config) ?? `${url}/dev/outbox`,
    stop: () => opened.disposeAsync(),
  };
}

/** What `startUte(environment)` of `api/main.ts` answers once it listens. Its log goes to stderr: stdout is for scripts. */
export type Running = Readonly<{
  /** Where browsers reach the site. */
  url: string;
  /** False while it waits for its database or its log to answer; it goes on by itself then, and there is no demo to name. */
  isReady: boolean;
  /** Link to the demo business's public form; null when there is no demo business. */
  publicForm: string | null;
  demo: Readonly<{ email: string; password: string }> | null;
  /** The page that shows what the embedded mail and SMS took, or one line that says why there is none. */
  outbox: string;
  /** Drains, closes, stops what was started; nothing of ours runs afterwards. */
  stop(): Promise<void>;
}>;
