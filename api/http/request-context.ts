import type { Deps, Session } from '#api/deps.ts';
import { addressKey } from './client-address.ts';
import type { Turn } from './gate.ts';

export type { Session } from '#api/deps.ts';

/** What the edge knows of a request before any route sees it. */
export type RequestContext = {
  /** Also the `ref` of an error answer and the correlation of events. */
  readonly id: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** The client's address, behind the proxies we trust. */
  readonly ip: string;
  /** The body, read and checked. */
  body?: unknown;
  session?: Session | undefined;
};

/** By the request itself: the edge, errors, logs and spans ask for it where the framework has no route, and derives nothing, yet. */
const contexts = new WeakMap<Request, RequestContext>();

export function openContext(request: Request, context: RequestContext): RequestContext {
  contexts.set(request, context);
  return context;
}

/** Throws for a request that did not come through the edge (`http/edge.ts`). */
export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error('request without context');
  return context;
}

/** Whose turn a request takes at a gate: that of the account which is signed in, else of its client. Of no source where limits are off. */
export function turnOf({ config }: Pick<Deps, 'config'>, request: Request): Turn {
  const { session, ip } = contextOf(request);
  const source = session ? `account ${session.accountId}` : `client ${addressKey(ip)}`;
  return { source: config.rateLimits === 'off' ? null : source, signal: request.signal };
}

/** A hook that marks answers read while the log is unavailable: `x-read-model: stale` says they may miss what happened since. */
export function markStaleReads(deps: Pick<Deps, 'isStale'>) {
  return ({ request, set }: { request: Request; set: { headers: Record<string, string | number> } }) => {
    if (request.method === 'GET' && deps.isStale?.()) set.headers['x-read-model'] = 'stale';
  };
}
