import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { addressKey } from '#api/http/client-address.ts';
import { localLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { botCheckScopes, configuredBotCheck, mostPrice } from '#api/providers/bot-check.ts';
import { priceOfForm, ticketFor } from './bot-check.ts';

/** What a challenge may cost, as a query says it. */
const prices = Array.from({ length: mostPrice }, (_, n) => String(n + 1));
const Scope = type.enumerated(...botCheckScopes);
const ChallengeQuery = type({
  scope: Scope.describe('What the check is for'),
  'form?': type('string <= 100').describe('The public address of the form that it is for'),
  'price?': type.enumerated(...prices).describe('What a refusal asked for'),
  '+': 'reject',
});
const Solution = type({ scope: Scope, payload: 'string <= 4096', '+': 'reject' });

/**
 * GET /bot-check/challenge?scope,form,price → { challenge } · POST /bot-check/verify { scope, payload } → { ticket }.
 * `form` is the slug of the public form that the check is for: in a rush of requests to it the work costs more. `price`
 * (1 to 4) is what a refusal asked for as `botCheck: { scope, price }`.
 */
export function botCheckRoutes(deps: Deps) {
  const botCheck = configuredBotCheck(deps.config);
  const challenges = localLimiter(deps, { name: 'bot-check-challenge', points: 60, seconds: 60 });
  const tries = localLimiter(deps, { name: 'bot-check-verify', points: 30, seconds: 60 });

  return new Elysia({ name: 'bot-check', prefix: '/bot-check' })
    .get(
      '/challenge',
      async ({ query, request }) => {
        await challenges.consume(addressKey(contextOf(request).ip));
        const { scope, form, price: asked = '1' } = query;
        const price = Math.max(Number(asked), form === undefined ? 1 : await priceOfForm(deps, form));
        return ok({ challenge: await botCheck.challenge({ scope, price }, deps.now()) });
      },
      {
        query: ChallengeQuery,
        detail: operation('Intake', 'getChallenge', 'A challenge of the bot check', { access: 'open' }),
      },
    )
    .post(
      '/verify',
      async ({ body, request }) => {
        await tries.consume(addressKey(contextOf(request).ip));
        return ok({ ticket: await ticketFor(deps, botCheck, body) });
      },
      {
        body: Solution,
        detail: operation('Intake', 'solveChallenge', 'Exchanges a solution for a ticket', {
          access: 'open',
          conflicts: false,
        }),
      },
    );
}
