import { useSyncExternalStore } from 'react';
import type { Query, QueryState } from './query.ts';

const pending: QueryState<never> = { status: 'pending', fetchStatus: 'idle' };

/** A query's state in a component. On the server, and while the page hydrates, it is pending: the skeleton. */
export function useQuery<T>({ $state }: Query<T>): QueryState<T> {
  return useSyncExternalStore<QueryState<T>>(
    (onChange) => $state.listen(onChange),
    () => $state.get(),
    () => pending,
  );
}
