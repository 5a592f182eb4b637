import { createQueries, type Queries, type Sources } from './query.ts';

/** Queries that ask what a test gives them instead of the API, and have nothing cached. */
export function queriesOf(request: unknown): Queries {
  const copies = { read: async () => null, store: async () => undefined };
  return createQueries({ request: request as Sources['request'], copies });
}
