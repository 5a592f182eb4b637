import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok, unavailable } from '#api/http/answers.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { hopsFor, hopsHeader } from './doctor-proof.ts';
import { checkReadiness } from './readiness.ts';

/**
 * GET /health/live: the process answers, and tells `ute doctor` how many proxies it came through ·
 * GET /health/ready: it can do its work; `degraded` when read models are not whole.
 */
export function healthRoutes(deps: Deps) {
  return new Elysia({ name: 'health', prefix: '/health' })
    .get(
      '/live',
      ({ request, set }) => {
        const hops = hopsFor(deps.config, request.headers, deps.now());
        if (hops !== null) set.headers[hopsHeader] = hops;
        return ok();
      },
      {
        detail: operation('Installation', 'isAlive', 'The process answers', { access: 'open' }),
      },
    )
    .get(
      '/ready',
      async () => {
        const { ready, degraded, checks, reasons } = await checkReadiness(deps);
        if (ready) return ok({ degraded, checks, ...(reasons.length > 0 ? { reasons } : {}) });
        deps.logger.warn({ event: 'not-ready', checks, reasons });
        throw unavailable();
      },
      {
        detail: operation('Installation', 'isReady', 'The process can do its work', { access: 'open' }),
      },
    );
}
