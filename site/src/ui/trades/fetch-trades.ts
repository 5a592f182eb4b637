import { type AnswerOf, request } from '#site/lib/http/api.ts';

export type Trade = AnswerOf<'GET', '/registration/trades'>['trades'][number];

/** Every trade that can be chosen, as the operator's list has it. */
export async function fetchTrades(signal: AbortSignal): Promise<readonly Trade[]> {
  return (await request('GET', '/registration/trades', { signal })).trades;
}
