import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/envelope.ts';
import { unavailable } from '#api/http/http-errors.ts';
import { checkReadiness } from './readiness.ts';

/** GET /health/live: the process answers · GET /health/ready: it can do its work; `degraded` when read models are not whole. */
export function healthRoutes(deps: Deps) {
  return new Elysia({ name: 'health', prefix: '/health' })
    .get('/live', () => ok())
    .get('/ready', async () => {
      const { ready, degraded, checks, reasons } = await checkReadiness(deps);
      if (ready) return ok({ degraded, checks, ...(reasons.length > 0 ? { reasons } : {}) });
      deps.logger.warn({ event: 'not-ready', checks, reasons });
      throw unavailable();
    });
}
