import { botCheckFor } from '#site/lib/bot-check/bot-check.ts';

const form = document.querySelector<HTMLElement>('form[data-request-form]');

/** The bot check of the public form on this page. */
export const botCheck = botCheckFor('public-form', form?.dataset.requestForm);
