import type { Deps } from '#api/deps.ts';

/** A hook that marks answers read while the log is unavailable: `x-read-model: stale` says they may miss what happened since. */
export function markStaleReads(deps: Pick<Deps, 'isStale'>) {
  return ({ request, set }: { request: Request; set: { headers: Record<string, string | number> } }) => {
    if (request.method === 'GET' && deps.isStale?.()) set.headers['x-read-model'] = 'stale';
  };
}
