import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { ok } from '#api/http/errors.ts';
import { idempotencyKey } from '#api/http/idempotency.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf, markStaleReads } from '#api/http/request-context.ts';
import { findJobHints } from '#projections/jobs/hints.ts';
import { addJob, NewJob } from './add-job.ts';
import { viewOf } from './load-job.ts';
import { AskedHints } from './queries.ts';
import { viewer } from './viewer.ts';

/** More jobs in an hour than a business can type. */
const LIMIT = { name: 'job-added', points: 300, seconds: 3_600 };

/**
 * POST /jobs { name, email, phone, address, scheduledAt, title, notes, lat, lng, placeId } → { job, hints } with an
 * optional `Idempotency-Key` · GET /jobs/hints?scheduledAt,phone,email,address,except → { hints }.
 * Hints are for a look before saving and after; they refuse nothing.
 */
export function newJobRoutes(deps: Deps) {
  const limiter = sharedLimiter(deps, LIMIT);
  return new Elysia({ name: 'new-job', prefix: '/jobs' })
    .use(auth(deps))
    .onBeforeHandle(markStaleReads(deps))
    .get(
      '/hints',
      async ({ session, query }) => {
        const { businessId } = session;
        return ok({ hints: await findJobHints(deps.db, { ...query, businessId, now: deps.now() }) });
      },
      { signedIn: true, query: AskedHints },
    )
    .post(
      '/',
      async ({ session, body, request, set }) => {
        const whose = await viewer(deps, session);
        await limiter.consume(session.businessId);
        const { job, readModel } = await addJob(deps, {
          ...{ viewer: whose, accountId: session.accountId, body },
          ...{ key: idempotencyKey(request.headers), correlation: contextOf(request).id },
        });
        if (readModel === 'behind') set.headers['x-read-model'] = 'behind';
        const { id: except, scheduledAt, phone, email, location } = job;
        const hints = await findJobHints(deps.db, {
          ...whose,
          ...{ except, scheduledAt, phone, email, address: location.address },
        });
        return ok({ job: viewOf(deps, job), hints });
      },
      { signedIn: true, body: NewJob },
    );
}
