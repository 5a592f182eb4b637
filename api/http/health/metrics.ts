import { Elysia } from 'elysia';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database, Deps, EventLog } from '#api/deps.ts';
import { notFound } from '#api/http/answers.ts';
import { isAskedLocally } from '#api/http/asked-locally.ts';
import { bearsSecret } from '#api/http/auth.ts';
import type { Uploads } from '#api/http/body/uploads.ts';
import { statusOf } from '#api/http/log.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import type { ProjectionStatus } from '#projections/runtime/read-side/status.ts';

export type RequestSeconds = Histogram<'method' | 'route' | 'status'>;

/** One figure of a gauge; a gauge without labels has one. */
export type Reading = Readonly<{ value: number; labels?: Readonly<Record<string, string>> }>;

/** A gauge as a room declares it. While `read` rejects, the gauge stays as it was. */
export type GaugeDeclaration = Readonly<{
  /** `ute_` first; the unit last where there is one. */
  name: string;
  help: string;
  labelNames?: readonly string[];
  read(): Promise<readonly Reading[]>;
}>;

/** Counts answers by how long they took. */
export function requestSeconds(): RequestSeconds {
  return new Histogram({
    name: 'ute_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [],
  });
}

/** GET /metrics in Prometheus' text format: with `METRICS_TOKEN`, or without one from this machine alone; else 404. */
export function metricsRoutes(
  deps: Pick<Deps, 'config'>,
  gauges: readonly GaugeDeclaration[],
  requests = requestSeconds(),
) {
  const own = new Registry();
  own.registerMetric(requests);
  for (const gauge of gauges) register(gauge, own);
  const registry = Registry.merge([metricsOfProcess(), own]);
  return new Elysia({ name: 'metrics' })
    .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
      const status = statusOf(set.status, responseValue);
      const seconds = (performance.now() - contextOf(request).startedAt) / 1_000;
      requests.observe({ method: request.method, route: route || 'unmatched', status }, seconds);
    })
    .get(
      '/metrics',
      async ({ request }) => {
        if (!mayRead(request, deps)) throw notFound();
        return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
      },
      {
        detail: operation('Installation', 'getMetrics', 'The metrics, as Prometheus reads them', {
          access: 'metrics',
          media: ['text/plain'],
          statuses: [404],
        }),
      },
    );
}

let ofProcess: Registry | undefined;

/**
 * What prom-client tells of a process, of which there is one whatever its apps. Without the spaces of the heap: Bun goes through
 * the whole heap for them, and a scrape would hold up every request for 20 to 150 ms.
 */
function metricsOfProcess(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  for (const { name } of ofProcess.getMetricsAsArray())
    if (name.startsWith('nodejs_heap_space_')) ofProcess.removeSingleMetric(name);
  return ofProcess;
}

function register({ name, help, labelNames = [], read }: GaugeDeclaration, registry: Registry): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const readings = await read().catch(() => []);
      for (const { value, labels = {} } of readings) this.set(labels, value);
    },
  });
}

/** How the process itself is: its uploads, its connections, and how far its read models are. */
export function processGauges(
  { db, readSide }: Pick<Database, 'db'> & Pick<EventLog, 'readSide'>,
  uploads: Uploads,
): GaugeDeclaration[] {
  const perProjection = (value: (status: ProjectionStatus) => number) => async () => {
    const statuses = await readSide.status();
    return statuses.map((status) => ({ value: value(status), labels: { projection: status.name } }));
  };
  return [
    {
      name: 'ute_upload_bytes',
      help: 'Bytes that arrived of the uploads on their way, of UPLOAD_BUDGET_MB at most',
      read: async () => [{ value: uploads.bytesInFlight() }],
    },
    {
      name: 'ute_database_connections',
      help: 'Connections of the pool',
      labelNames: ['state'],
      read: async () => [
        { value: db.totalCount, labels: { state: 'open' } },
        { value: db.idleCount, labels: { state: 'idle' } },
        { value: db.waitingCount, labels: { state: 'waiting' } },
      ],
    },
    {
      name: 'ute_projection_lag_events',
      help: 'Events that a read model has not seen yet',
      labelNames: ['projection'],
      read: perProjection(({ head, position }) => Number(BigInt(head) - BigInt(position))),
    },
    {
      name: 'ute_projection_parked_events',
      help: 'Events set aside because they cannot be read',
      labelNames: ['projection'],
      read: perProjection(({ parked }) => parked),
    },
  ];
}

function mayRead(request: Request, { config }: Pick<Deps, 'config'>): boolean {
  if (config.metricsToken !== undefined) return bearsSecret(request.headers, config.metricsToken);
  // Behind a proxy on this machine all clients seem to be here, and a page elsewhere may lead here: then only a token opens.
  const proxied = request.headers.has('x-forwarded-for') || request.headers.has('forwarded');
  return !proxied && isAskedLocally(request) && /^(127\.|::1$)/.test(contextOf(request).ip);
}
