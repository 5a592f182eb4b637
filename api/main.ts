import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { migrate } from '#migrations/run.ts';
import { createReadSide } from '#projections/runtime/read.ts';
import { startProjections } from '#projections/worker.ts';
import { createApp, createWorkerApp } from './app.ts';
import type { Config } from './config.ts';
import type { Deps, PageRenderer } from './deps.ts';
import { createLogger } from './http/log.ts';
import { createPages } from './http/pages.ts';
import type { Running } from './launch/running.ts';
import { openDatabase } from './process/database.ts';
import { configure } from './process/environment.ts';
import { listen } from './process/listen.ts';
import { findForm } from './public-forms/find-form.ts';
import { type Demo, seedDemoBusiness } from './seed/demo-business.ts';

const DIST = new URL('../dist', import.meta.url).pathname;

/**
 * Builds everything from the environment and listens. Throws an error whose first line is for the operator; then
 * nothing is left running. `stop` answers what is in flight (10 s at most), then closes all that was opened.
 */
export async function startUte(environment: Readonly<Record<string, string | undefined>>): Promise<Running> {
  const config = configure(environment);
  await using opened = new AsyncDisposableStack();
  const logger = createLogger(config.logLevel);
  const stopping = new AbortController();

  const database = await openDatabase(config, logger, migrate);
  opened.defer(() => database.close());
  const store = createEmbeddedEventStore({
    pool: database.log,
    connectionString: database.url,
    dataKey: config.keys.data,
  });
  opened.defer(() => store.close());
  const readSide = createReadSide({ pool: database.log, connectionString: database.url, head: store.head });
  opened.defer(() => readSide.close());
  if (config.role !== 'api') {
    const worker = startProjections({ store, pool: database.log, connectionString: database.url, logger });
    opened.defer(() => worker.stop());
  }

  const deps: Deps = {
    config,
    db: database.requests,
    store,
    readSide,
    now: () => new Date(),
    newId: () => Bun.randomUUIDv7(),
    logger,
    stopping: stopping.signal,
  };
  const demo = await seedDemo(deps);
  const listening = listen(await createFor(deps), config);
  opened.defer(() => listening.stop());
  opened.defer(() => stopping.abort());
  logger.info({ event: 'ready', role: config.role, port: config.port });
  return running(config, demo, opened.move());
}

async function createFor(deps: Deps) {
  if (deps.config.role === 'worker') return createWorkerApp(deps);
  const render = await createPages({ distDir: DIST, origin: deps.config.publicOrigin });
  const publicForm = async (slug: string) => (await findForm(deps.db, slug))?.form ?? null;
  const pages: PageRenderer = (request, init) =>
    render(request, { ...init, locals: { publicForm, ...init.locals } });
  return createApp({ ...deps, pages });
}

/** Outside production there is a business to look at. */
async function seedDemo(deps: Deps): Promise<Demo | null> {
  if (deps.config.environment === 'production' || deps.config.role === 'worker') return null;
  return seedDemoBusiness(deps);
}

function running(config: Config, demo: Demo | null, opened: AsyncDisposableStack): Running {
  const url = config.publicOrigin;
  return {
    url,
    publicForm: demo && `${url}/t/${demo.slug}`,
    demo: demo && { email: demo.email, password: demo.password },
    stop: () => opened.disposeAsync(),
  };
}
