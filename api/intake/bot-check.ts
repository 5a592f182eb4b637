import type { Deps } from '#api/deps.ts';
import { botCheckFailed } from '#api/http/answers.ts';
import { issueTicket } from '#api/http/bot-check-tickets.ts';
import { formPrice } from '#api/intake/public-form/intake-limits.ts';
import type { BotCheckRefusal, BotCheckScope, configuredBotCheck } from '#api/providers/bot-check.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { findForm } from './public-form.ts';

type BotCheck = ReturnType<typeof configuredBotCheck>;
type Solved = Readonly<{ scope: BotCheckScope; payload: string }>;

const refusals: Record<BotCheckRefusal | 'spent', string> = {
  wrong: 'The bot check was not passed, please try again',
  expired: 'The bot check took too long, please try again',
  'other-scope': 'The bot check was passed for something else, please try again',
  spent: 'The bot check was used already, please try again',
};

/** The ticket for a solution, once. Throws 400 for a solution that is wrong, too old, for something else, or was used. */
export async function ticketFor(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  botCheck: BotCheck,
  { scope, payload }: Solved,
): Promise<string> {
  const now = deps.now();
  const solved = await verdictOn(deps, botCheck, { scope, payload }, now);
  const ticket = await issueTicket(deps.db, scope, solved, now);
  if (ticket === null) throw botCheckFailed(refusals.spent);
  return ticket;
}

/** While the provider is unavailable a registration waits; a customer's request comes in all the same, and is held for review. */
async function verdictOn(
  { newId }: Pick<Deps, 'newId'>,
  botCheck: BotCheck,
  { scope, payload }: Solved,
  now: Date,
) {
  try {
    const verdict = await botCheck.verify(scope, payload, now);
    if (!verdict.passed) throw botCheckFailed(refusals[verdict.reason]);
    return { ...verdict, checked: true };
  } catch (error) {
    if (scope !== 'public-form' || !(error instanceof ProviderError)) throw error;
    return { id: `unchecked ${newId()}`, price: 1, begunAt: new Date(0), expiresAt: now, checked: false };
  }
}

/** What a challenge for a public form costs now: more in a rush of requests to it. */
export async function priceOfForm(
  deps: Parameters<typeof findForm>[0] & Pick<Deps, 'config' | 'now'>,
  slug: string,
): Promise<number> {
  const found = deps.config.rateLimits === 'off' ? null : await findForm(deps, slug);
  return found ? formPrice(deps.db, found.businessId, deps.now()) : 1;
}
