import type { Pool } from 'pg';
import { credentialOf } from '#api/accounts/credentials.ts';
import { createSignIn } from '#api/accounts/login.ts';
import { type App, createApp } from '#api/app.ts';
import { createWhereabouts } from '#api/businesses/whereabouts.ts';
import type { Deps, PageRenderer } from '#api/deps.ts';
import { createLogger } from '#api/http/log.ts';
import { type FileStore, localFiles } from '#api/providers/files.ts';
import { followingProcesses } from '#api/rooms.ts';
import { createBusinessRows } from '#api/runtime/business-rows.ts';
import type { Telemetry } from '#api/runtime/telemetry/port.ts';
import { type SeededBusiness, seedBusiness } from '#api/seed/seed-business.ts';
import { createServices } from '#api/services.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { projections } from '#projections/registry.ts';
import { openProcess } from '#projections/runtime/follow/checkpoint.ts';
import { createProgressChannel, type ProgressChannel } from '#projections/runtime/notify.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { createReadSide, type ReadSide } from '#projections/runtime/read-side/read-side.ts';
import { startProjections } from '#projections/worker.ts';
import { apiClient, type Client } from './api-client.ts';
import { testDatabase, testPool } from './database.ts';
import { checkAnswers } from './described-answers.ts';
import { aBusiness, tempFolder, testConfig } from './fixtures.ts';

export type TestAppOptions = Readonly<{
  /** Variables on top of the test's own configuration, for example `{ RATE_LIMITS: 'on' }`. */
  env?: Readonly<Record<string, string>>;
  /** A clock of the test's own. */
  now?: () => Date;
  /** Receives the log's lines. */
  log?: (line: string) => void;
  pages?: PageRenderer;
  /** Which paths lead to a page that is rendered for its request; without it none do. */
  rendersPage?: (path: string) => boolean;
  /** Aborted by the test when the process is to drain. */
  stopping?: AbortSignal;
  /** Wraps a projection, for example to slow it down. */
  projection?: (projection: Projection) => Projection;
  /** Follows the log with the processes too, by the test's clock: the outbox, and what finishes what a request began. */
  processes?: boolean;
  /** Wraps the store, for example to fail or to count. */
  store?: (store: EventStore) => EventStore;
  /** How long the writer waits for the read models, in milliseconds; without it, longer than a machine may stall. */
  timeout?: number;
  /** Receives the spans of requests, commands, appends and batches. */
  telemetry?: Telemetry;
  /** Wraps the store of files, below what seals them. */
  files?: (files: FileStore) => FileStore;
}>;

export type SignedIn = Client &
  Readonly<{
    token: string;
    accountId: string;
    businessId: string;
    email: string;
    password: string;
    slug: string;
  }>;

export type TestApp = Client &
  Readonly<{
    app: App;
    deps: Deps;
    telemetry: Telemetry | undefined;
    /** Where the worker of this process is. */
    progress: ProgressChannel;
    /** Sees the rows of every business, as the projections' sessions do; `deps.db` does not. */
    everyRow: Pool;
    /** The store of files below what seals them: bytes as they are on the disk. */
    storedFiles: FileStore;
    storedFolder: string;
    /** `postgres://…` of this test's database. */
    databaseUrl: string;
    /** Waits until every read model has passed the end of the log. */
    settle(): Promise<void>;
    /** Registers a business and opens a session of its owner's: calls through the answer carry their bearer token. */
    signIn(registration?: Partial<SeededBusiness>): Promise<SignedIn>;
    /** A client that sends these headers with every call. */
    as(headers: Readonly<Record<string, string>>): Client;
    /** The answer to a GET as it is, for its bytes. */
    open(path: string): Promise<Response>;
    /** What is to end before the log and the database do. */
    onClose(end: () => Promise<void>): void;
    close(): Promise<void>;
  }>;

/** The whole API on a database of its own, with the real event store and projections. One per test file. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await testDatabase();
  const config = testConfig({ ...(options.log ? { LOG_LEVEL: 'debug' } : {}), ...options.env });
  const opened = createEmbeddedEventStore({
    pool: database.pool,
    connectionString: database.url,
    dataKey: config.keys.data,
  });
  const { telemetry } = options;
  const wrapped = options.store?.(opened) ?? opened;
  const store = telemetry?.traceStore(wrapped) ?? wrapped;
  const now = options.now ?? (() => new Date());
  const { log } = options;
  const logger = createLogger(config.logLevel, log ? { write: log } : undefined);
  const processes = options.processes
    ? followingProcesses({ config, db: database.pool, store: opened, now, logger })
    : [];
  const followers = [...projections, ...processes];
  for (const process of processes) await openProcess({ pool: database.pool, store: opened }, process);
  const progress = createProgressChannel();
  const opening = createReadSide({
    ...{
      pool: database.pool,
      connectionString: database.url,
      store: opened,
      projections: followers,
      progress,
    },
  });
  const { timeout = 20_000 } = options;
  const readSide: ReadSide = {
    ...opening,
    waitFor: (names, position, ms = 0) => opening.waitFor(names, position, Math.max(ms, timeout)),
  };
  // Until it listens, notifications are missed, and what is cached from the read models dropped.
  await new Promise<void>((resolve) => readSide.onGap(resolve));
  const worker = startProjections({
    store: opened,
    pool: database.pool,
    connectionString: database.url,
    projections: options.projection ? projections.map(options.projection) : projections,
    processes,
    progress,
    aroundBatch: telemetry?.aroundBatch,
  });
  const folder = tempFolder('files');
  const requests = testPool(database.url);
  const stored = localFiles(folder.path);
  const tenants = testPool(database.url, 10, { pipeline: true });
  const files = options.files?.(stored) ?? stored;
  const deps: Deps = {
    ...createServices({ config, logger, db: requests, store, stored: opened, now, files }),
    rowsOf: createBusinessRows(tenants),
    readSide,
    whereabouts: createWhereabouts({ db: requests, readSide }),
    ...(options.pages ? { pages: options.pages } : {}),
    ...(options.rendersPage ? { rendersPage: options.rendersPage } : {}),
    requestSpans: telemetry?.requests,
    ...(options.stopping ? { stopping: options.stopping } : {}),
  };
  const app = checkAnswers(createApp(deps));
  const as = (headers: Readonly<Record<string, string>>) => apiClient(app, headers);

  async function settle() {
    const names = followers.map(({ name }) => name);
    const reached = await readSide.waitFor(names, await opened.head(), 20_000);
    if (reached !== 'caught-up') throw new Error('the read models did not catch up');
  }

  async function signIn(registration: Partial<SeededBusiness> = {}): Promise<SignedIn> {
    const input = aBusiness(registration);
    const cause = { commandId: Bun.randomUUIDv7(), actor: 'seed', correlation: 'test' };
    const { accountId, businessId } = await seedBusiness(deps, input, cause);
    await settle();
    const { email, password, slug } = input;
    const credential = await credentialOf(deps.db, accountId);
    const opened =
      credential && (await createSignIn(deps)(credential, { remember: true, device: 'A browser' }));
    if (!opened) throw new Error('the owner cannot be signed in');
    const { token } = opened;
    return {
      ...as({ authorization: `Bearer ${token}` }),
      token,
      accountId,
      businessId,
      email,
      password,
      slug,
    };
  }

  const endings: (() => Promise<void>)[] = [];

  async function close() {
    await Promise.all([worker.stop(), ...endings.map((end) => end())]);
    await readSide.close();
    await opened.close();
    await Promise.all([requests.end(), tenants.end()]);
    await database.close();
    folder.remove();
  }

  return {
    ...as({}),
    app,
    deps,
    telemetry,
    progress,
    everyRow: database.pool,
    storedFiles: stored,
    storedFolder: folder.path,
    databaseUrl: database.url,
    settle,
    signIn,
    as,
    open: async (path) => app.handle(new Request(`http://localhost${path}`)),
    onClose: (end) => void endings.push(end),
    close,
  };
}
