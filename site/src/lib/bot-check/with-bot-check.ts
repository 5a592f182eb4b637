import type { Failure } from '#api/http/answers.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { type BotCheck, type BotCheckScope, botCheckFor } from './bot-check.ts';

type Needed = NonNullable<Failure['botCheck']>;

type CheckFor = (scope: BotCheckScope) => Pick<BotCheck, 'drop' | 'ticket'>;

/** How often a check is made for one request: its price may rise while it is made. */
const most = 3;

/**
 * Sends a request; where the server first asks for a bot check, makes it and sends the request again with its ticket in the
 * headers that `send` is given.
 * @throws what `send` throws.
 */
export async function withBotCheck<T>(
  send: (headers: Record<string, string>) => Promise<T>,
  checkFor: CheckFor = botCheckFor,
): Promise<T> {
  let headers = {};
  for (let made = 0; ; made += 1) {
    try {
      return await send(headers);
    } catch (error) {
      const needed = neededBy(error);
      if (!needed || made === most) throw error;
      const ticket = await earn(needed, checkFor);
      if (ticket === null) throw error;
      headers = { 'x-bot-check': ticket };
    }
  }
}

function neededBy(error: unknown): Needed | null {
  return (error instanceof ApiError && error.payload.botCheck) || null;
}

async function earn({ scope, price }: Needed, checkFor: CheckFor): Promise<string | null> {
  const check = checkFor(scope);
  check.drop(price);
  const outcome = await check.ticket();
  return outcome.kind === 'ok' ? outcome.payload.ticket : null;
}
