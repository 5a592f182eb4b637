import { Elysia } from 'elysia';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { networksTryingMany } from '#api/accounts/sign-in/guessing.ts';
import type { Deps } from '#api/deps.ts';
import type { Uploads } from '#api/http/body/uploads.ts';
import { notFound } from '#api/http/http-errors.ts';
import { statusOf } from '#api/http/log.ts';
import { contextOf } from '#api/http/request-context.ts';
import { bearsSecret } from '#api/http/secret-token.ts';
import { alertFigures } from '#api/messages/alert-budget.ts';
import { type OutboxFigures, outboxFigures } from '#api/messages/delivery-status.ts';
import { codeFigures, codePrice } from '#api/registration/code-budget.ts';
import type { ProjectionStatus } from '#projections/runtime/read-side/status.ts';

export type RequestSeconds = Histogram<'method' | 'route' | 'status'>;

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
export function metricsRoutes(deps: Deps, uploads: Uploads, requests = requestSeconds()) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(requests);
  gauges(deps, uploads, registry);
  return new Elysia({ name: 'metrics' })
    .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
      const status = statusOf(set.status, responseValue);
      const seconds = (performance.now() - contextOf(request).startedAt) / 1_000;
      requests.observe({ method: request.method, route: route || 'unmatched', status }, seconds);
    })
    .get('/metrics', async ({ request }) => {
      if (!mayRead(request, deps)) throw notFound();
      return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
    });
}

function gauges(deps: Deps, uploads: Uploads, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'ute_upload_bytes',
    help: 'Bytes of uploads that are held in memory, of UPLOAD_BUDGET_MB at most',
    registers,
    collect() {
      this.set(uploads.bytesInFlight());
    },
  });
  new Gauge({
    name: 'ute_database_connections',
    help: 'Connections of the pool',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'open' }, deps.db.totalCount);
      this.set({ state: 'idle' }, deps.db.idleCount);
      this.set({ state: 'waiting' }, deps.db.waitingCount);
    },
  });
  new Gauge({
    name: 'ute_codes_last_hour',
    help: 'Codes by SMS of the last hour: sent, and come back',
    labelNames: ['what'],
    registers,
    async collect() {
      const figures = await codeFigures(deps.db, deps.now()).catch(() => null);
      if (!figures) return;
      this.set({ what: 'sent' }, figures.sent);
      this.set({ what: 'verified' }, figures.verified);
    },
  });
  new Gauge({
    name: 'ute_code_price',
    help: 'Price of the bot check that a code by SMS costs a registration now, 0 without one',
    registers,
    async collect() {
      const figures = await codeFigures(deps.db, deps.now()).catch(() => null);
      if (figures) this.set(codePrice(figures.sent, deps.config.codesPerHour));
    },
  });
  new Gauge({
    name: 'ute_login_networks_trying_many',
    help: 'Networks that gave wrong passwords for many accounts in the last hour',
    registers,
    async collect() {
      const networks = await networksTryingMany(deps.db, deps.now()).catch(() => null);
      if (networks !== null) this.set(networks);
    },
  });
  new Gauge({
    name: 'ute_alert_sms_last_hour',
    help: 'SMS about jobs of the last hour: sent, or why not',
    labelNames: ['outcome'],
    registers,
    async collect() {
      const figures = await alertFigures(deps.db, deps.now()).catch(() => null);
      for (const [outcome, count] of Object.entries(figures ?? {})) this.set({ outcome }, count);
    },
  });
  perOutbox(
    'ute_outbox_messages',
    'Messages that wait to be sent, are held back until a business confirms its email, or could not be sent',
    // The label's name is part of what alerts of operators are written for.
    ['standing'],
    (gauge, figures) => {
      gauge.set({ standing: 'waiting' }, figures.waiting);
      gauge.set({ standing: 'held' }, figures.held);
      gauge.set({ standing: 'dead' }, figures.dead);
    },
  );
  perOutbox(
    'ute_outbox_oldest_waiting_seconds',
    'For how long the oldest waiting message has been wanted',
    [],
    (gauge, figures) => gauge.set(figures.oldestWaitingSeconds),
  );
  perProjection(
    'ute_projection_lag_events',
    'Events that a read model has not seen yet',
    ({ head, position }) => Number(BigInt(head) - BigInt(position)),
  );
  perProjection(
    'ute_projection_parked_events',
    'Events set aside because they cannot be read',
    ({ parked }) => parked,
  );

  function perOutbox(
    name: string,
    help: string,
    labelNames: string[],
    show: (gauge: Gauge, figures: OutboxFigures) => void,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const figures = await outboxFigures(deps.db, deps.now()).catch(() => null);
        if (figures) show(this, figures);
      },
    });
  }

  function perProjection(name: string, help: string, value: (status: ProjectionStatus) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ['projection'],
      registers,
      async collect() {
        const statuses = await deps.readSide.status().catch(() => []);
        for (const status of statuses) this.set({ projection: status.name }, value(status));
      },
    });
  }
}

function mayRead(request: Request, { config }: Deps): boolean {
  if (config.metricsToken !== undefined) return bearsSecret(request.headers, config.metricsToken);
  // Behind a proxy on this machine everybody seems to be here: then only a token opens.
  const proxied = request.headers.has('x-forwarded-for') || request.headers.has('forwarded');
  return !proxied && /^(127\.|::1$)/.test(contextOf(request).ip);
}
