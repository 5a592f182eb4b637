import { botCheckFor } from '#site/lib/bot-check/bot-check.ts';
import { readRegistration } from '#site/lib/session/session-storage.ts';

/** The bot check of the registration. */
export const botCheck = botCheckFor('registration');

/** Begins the check before anything else of the page is there: the work takes a while, and the wizard waits for it. */
export function startBotCheck(): void {
  if (!readRegistration()) void botCheck.ticket();
}
