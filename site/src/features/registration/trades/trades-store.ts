import { type Query, query } from '#site/lib/http/query.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { fetchTrades, type Trade } from '../registration-api.ts';

/** Every trade that can be chosen, as the operator's list has it. */
export const tradesQuery: Query<readonly Trade[]> = query('registration-trades', fetchTrades);

/** Loads the trades from now on, so that they are there when they are looked at. */
export function prepareTrades(): void {
  tradesQuery.$state.listen(() => {});
}

/** Shows that the trades did not load, until they do. @returns how to stop listening. */
export function followTrades(): () => void {
  return tradesQuery.$state.listen(({ status, fetchStatus }) => {
    if (status === 'success') toast.dismiss('registration-trades');
    if (status !== 'error' || fetchStatus !== 'idle') return;
    toast.error('Please refresh the page or try again later', {
      title: 'Something went wrong loading the trades',
      id: 'registration-trades',
    });
  });
}
