import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { isRetentionPeriod, retentionPeriodMessage, retentionYears } from '#core/values/stored-details.ts';
import { changeRetentionPeriod, retentionPeriodOf } from './period.ts';

const CHANGES = { name: 'retention-period', points: 30, seconds: 600 };

const Period = type({
  '+': 'reject',
  years: type('number').narrow(
    (years, ctx) => isRetentionPeriod(years) || ctx.reject({ message: retentionPeriodMessage }),
  ),
});

/** GET /settings/retention → { retention: { years, least, most } } · PUT { years } → the same; 422 for another number. */
export function retentionRoutes(deps: Deps) {
  const limiter = sharedLimiter(deps, CHANGES);
  return new Elysia({ name: 'retention', prefix: '/settings/retention' })
    .use(auth(deps))
    .get(
      '',
      async ({ session }) => {
        return answer(await retentionPeriodOf(deps, session));
      },
      {
        signedIn: true,
        detail: operation('Account', 'getRetention', "How long customers' details are stored", {
          description:
            '`years` after the last change of a job that was accepted; of others it is twelve months.',
        }),
      },
    )
    .put(
      '',
      async ({ session, body, request }) => {
        await limiter.consume(session.accountId);
        return answer(await changeRetentionPeriod(deps, session, body.years, contextOf(request).id));
      },
      {
        signedIn: true,
        body: Period,
        detail: operation('Account', 'changeRetention', "Chooses how long customers' details are stored"),
      },
    );
}

function answer(years: number) {
  const { least, most } = retentionYears;
  return ok({ retention: { years, least, most } });
}
