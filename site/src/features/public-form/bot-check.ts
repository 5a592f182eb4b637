import { botCheckFor } from '#site/lib/bot-check/bot-check.ts';

/** The bot check of the public form. */
export const botCheck = botCheckFor('public-form');
