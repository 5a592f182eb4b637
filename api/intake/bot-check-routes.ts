import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { badRequest, ok } from '#api/http/answers.ts';
import { issueTicket } from '#api/http/bot-check-tickets.ts';
import { addressKey } from '#api/http/client-address.ts';
import { localLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { findForm } from '#api/intake/public-form/form.ts';
import { formPrice } from '#api/intake/public-form/intake-limits.ts';
import {
  type BotCheckRefusal,
  type BotCheckScope,
  botCheckScopes,
  configuredBotCheck,
  mostPrice,
} from '#api/providers/bot-check.ts';
import { ProviderError } from '#api/providers/http-client.ts';

/** What a challenge may cost, as a query says it. */
const prices = Array.from({ length: mostPrice }, (_, n) => String(n + 1));
const Scope = type.enumerated(...botCheckScopes);
const ChallengeQuery = type({
  scope: Scope,
  'form?': 'string <= 100',
  'price?': type.enumerated(...prices),
  '+': 'reject',
});
const Solution = type({ scope: Scope, payload: 'string <= 4096', '+': 'reject' });

const refusals: Record<BotCheckRefusal | 'spent', string> = {
  wrong: 'The bot check was not passed, please try again',
  expired: 'The bot check took too long, please try again',
  'other-scope': 'The bot check was passed for something else, please try again',
  spent: 'The bot check was used already, please try again',
};

/**
 * GET /bot-check/challenge?scope,form,price → { challenge } · POST /bot-check/verify { scope, payload } → { ticket }.
 * `form` is the slug of the public form that the check is for: in a rush of requests to it the work costs more. `price`
 * (1 to 4) is what a refusal asked for as `botCheck: { scope, price }`.
 */
export function botCheckRoutes(deps: Deps) {
  const botCheck = configuredBotCheck(deps.config);
  const challenges = localLimiter(deps, { name: 'bot-check-challenge', points: 60, seconds: 60 });
  const tries = localLimiter(deps, { name: 'bot-check-verify', points: 30, seconds: 60 });

  /** While the provider is unavailable a registration waits; a customer's request comes in all the same, and is held for review. */
  async function verdictOf(scope: BotCheckScope, payload: string, now: Date) {
    try {
      const verdict = await botCheck.verify(scope, payload, now);
      if (!verdict.passed) throw badRequest(refusals[verdict.reason]);
      return { ...verdict, checked: true };
    } catch (error) {
      if (scope !== 'public-form' || !(error instanceof ProviderError)) throw error;
      return {
        id: `unchecked ${deps.newId()}`,
        price: 1,
        begunAt: new Date(0),
        expiresAt: now,
        checked: false,
      };
    }
  }

  async function priceOfForm(slug: string): Promise<number> {
    const found = deps.config.rateLimits === 'off' ? null : await findForm(deps, slug);
    return found ? formPrice(deps.db, found.businessId, deps.now()) : 1;
  }

  return new Elysia({ name: 'bot-check', prefix: '/bot-check' })
    .get(
      '/challenge',
      async ({ query, request }) => {
        await challenges.consume(addressKey(contextOf(request).ip));
        const { scope, form, price: asked = '1' } = query;
        const price = Math.max(Number(asked), form === undefined ? 1 : await priceOfForm(form));
        return ok({ challenge: await botCheck.challenge({ scope, price }, deps.now()) });
      },
      { query: ChallengeQuery },
    )
    .post(
      '/verify',
      async ({ body, request }) => {
        await tries.consume(addressKey(contextOf(request).ip));
        const now = deps.now();
        const solved = await verdictOf(body.scope, body.payload, now);
        const ticket = await issueTicket(deps.db, body.scope, solved, now);
        if (ticket === null) throw badRequest(refusals.spent);
        return ok({ ticket });
      },
      { body: Solution },
    );
}
