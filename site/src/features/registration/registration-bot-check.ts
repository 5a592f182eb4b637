import { botCheckFor } from '#site/lib/bot-check/bot-check.ts';

/** The bot check of the registration. */
export const botCheck = botCheckFor('registration');
