import type { Command } from '#core/kernel/command.ts';
import type { AccountOpened } from './events.ts';

/** `email` as `normaliseEmail` writes it, `phone` in E.164. */
export type OpenAccount = Command<'OpenAccount', Omit<AccountOpened['data'], 'openedAt'>>;
export type FinishOnboarding = Command<'FinishOnboarding', { accountId: string }>;

export type AccountCommand = OpenAccount | FinishOnboarding;
