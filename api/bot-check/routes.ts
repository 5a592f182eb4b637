import { type } from 'arktype';
import { Elysia } from 'elysia';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/envelope.ts';
import { badRequest } from '#api/http/http-errors.ts';
import { localLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import {
  type BotCheckRefusal,
  type BotCheckScope,
  botCheckScopes,
} from '#api/providers/bot-check/bot-check.ts';
import { configuredBotCheck } from '#api/providers/bot-check/configured.ts';
import { ProviderError } from '#api/providers/outside/fetch-json.ts';
import { issueTicket } from './tickets.ts';

const Scope = type.enumerated(...botCheckScopes);
const ChallengeQuery = type({ scope: Scope, '+': 'reject' });
const Solution = type({ scope: Scope, payload: 'string <= 4096', '+': 'reject' });

const refusals: Record<BotCheckRefusal | 'spent', string> = {
  wrong: 'The bot check was not passed, please try again',
  expired: 'The bot check took too long, please try again',
  'other-scope': 'The bot check was passed for something else, please try again',
  spent: 'The bot check was used already, please try again',
};

/** GET /bot-check/challenge?scope → { challenge } · POST /bot-check/verify { scope, payload } → { ticket } */
export function botCheckRoutes(deps: Deps) {
  const botCheck = configuredBotCheck(deps.config);
  const challenges = localLimiter(deps, { name: 'bot-check-challenge', points: 60, seconds: 60 });
  const tries = localLimiter(deps, { name: 'bot-check-verify', points: 30, seconds: 60 });

  /** While the provider is away a registration waits; a customer's request comes in all the same, and is held for review. */
  async function verdictOf(scope: BotCheckScope, payload: string, now: Date) {
    try {
      const verdict = await botCheck.verify(scope, payload, now);
      if (!verdict.passed) throw badRequest(refusals[verdict.reason]);
      return { ...verdict, checked: true };
    } catch (error) {
      if (scope !== 'public-form' || !(error instanceof ProviderError)) throw error;
      return { id: `unchecked ${deps.newId()}`, begunAt: new Date(0), expiresAt: now, checked: false };
    }
  }

  return new Elysia({ name: 'bot-check', prefix: '/bot-check' })
    .get(
      '/challenge',
      async ({ query, request }) => {
        await challenges.consume(contextOf(request).ip);
        return ok({ challenge: await botCheck.challenge(query.scope, deps.now()) });
      },
      { query: ChallengeQuery },
    )
    .post(
      '/verify',
      async ({ body, request }) => {
        await tries.consume(contextOf(request).ip);
        const now = deps.now();
        const solved = await verdictOf(body.scope, body.payload, now);
        const ticket = await issueTicket(deps.db, body.scope, solved, now);
        if (ticket === null) throw badRequest(refusals.spent);
        return ok({ ticket });
      },
      { body: Solution },
    );
}
