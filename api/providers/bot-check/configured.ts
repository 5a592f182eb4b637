import type { Config } from '#api/runtime/config/config.ts';
import { createAltchaBotCheck } from './altcha.ts';
import type { BotCheck, BotCheckScope } from './bot-check.ts';
import { createTurnstileBotCheck } from './turnstile.ts';

/** The operations whose check is always our own: it has a price, and no script from elsewhere runs where a password is typed. */
const ownScopes: readonly BotCheckScope[] = ['code', 'login'];

/** The bot check that the configuration names. */
export function configuredBotCheck(config: Pick<Config, 'botCheck' | 'keys' | 'publicOrigin'>): BotCheck {
  const { botCheck } = config;
  const own = createAltchaBotCheck({ secret: config.keys.botCheck, cost: botCheck.cost });
  if (botCheck.provider === 'altcha') return own;
  const turnstile = createTurnstileBotCheck({
    ...botCheck,
    hostname: new URL(config.publicOrigin).hostname,
  });
  const of = (scope: BotCheckScope) => (ownScopes.includes(scope) ? own : turnstile);
  return {
    challenge: (asked, now) => of(asked.scope).challenge(asked, now),
    verify: (scope, payload, now) => of(scope).verify(scope, payload, now),
  };
}
