import { type } from 'arktype';
import { Elysia } from 'elysia';
import { loadBusiness } from '#api/accounts/load-account.ts';
import { changeBusiness } from '#api/businesses/change-business.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { isRetentionPeriod, retentionPeriodMessage, retentionYears } from '#core/values/stored-details.ts';

const CHANGES = { name: 'retention-period', points: 30, seconds: 600 };

const Period = type({
  '+': 'reject',
  years: type('number').narrow(
    (years, ctx) => isRetentionPeriod(years) || ctx.reject({ message: retentionPeriodMessage }),
  ),
});

const shown = {
  summary: "How long customers' details are stored",
  description: '`years` after the last change of a job that was accepted; of others it is twelve months.',
};

/** GET /settings/retention → { retention: { years, least, most } } · PUT { years } → the same; 422 for another number. */
export function retentionRoutes(deps: Deps) {
  const limiter = sharedLimiter(deps, CHANGES);
  return new Elysia({ name: 'retention', prefix: '/settings/retention' })
    .use(auth(deps))
    .get(
      '',
      async ({ session }) => {
        const business = await loadBusiness(deps, session.businessId);
        if (!business) throw new NotFoundError('Business not found');
        return answer(business.retentionYears);
      },
      { signedIn: true, detail: shown },
    )
    .put(
      '',
      async ({ session, body, request }) => {
        await limiter.consume(session.accountId);
        const { businessId } = session;
        const { business } = await changeBusiness(
          deps,
          session,
          [{ type: 'ChangeRetentionPeriod', at: deps.now().toISOString(), data: { businessId, ...body } }],
          { at: deps.now().toISOString(), correlation: contextOf(request).id },
        );
        return answer(business.retentionYears);
      },
      { signedIn: true, body: Period, detail: { summary: "Chooses how long customers' details are stored" } },
    );
}

function answer(years: number) {
  const { least, most } = retentionYears;
  return ok({ retention: { years, least, most } });
}
