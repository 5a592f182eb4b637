import type { Config } from '#api/config.ts';
import { createAltchaBotCheck } from './altcha.ts';
import type { BotCheck } from './bot-check.ts';
import { createTurnstileBotCheck } from './turnstile.ts';

/** The bot check that the configuration names. */
export function configuredBotCheck(config: Pick<Config, 'botCheck' | 'keys' | 'publicOrigin'>): BotCheck {
  const { botCheck } = config;
  switch (botCheck.provider) {
    case 'altcha':
      return createAltchaBotCheck({ secret: config.keys.botCheck, cost: botCheck.cost });
    case 'turnstile':
      return createTurnstileBotCheck({ ...botCheck, hostname: new URL(config.publicOrigin).hostname });
  }
}
