import type { Config } from '#api/config.ts';
import { createAltchaBotCheck } from './altcha.ts';
import type { BotCheck } from './bot-check.ts';

/** The bot check that the configuration names. */
export function configuredBotCheck(config: Pick<Config, 'botCheck' | 'keys'>): BotCheck {
  switch (config.botCheck.provider) {
    case 'altcha':
      return createAltchaBotCheck({ secret: config.keys.botCheck, cost: config.botCheck.cost });
  }
}
