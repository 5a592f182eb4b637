import type { Deps } from '#api/deps.ts';
import { type Limiter, sharedLimiter } from '#api/http/limits.ts';

/** Files of one source in ten minutes, by form or by upload: what its five requests may hold. */
const UPLOADS = { name: 'upload-source', points: 25, seconds: 600 };

/** Counts files by their hashed source (`hashSource`). */
export function uploadLimiter(deps: Pick<Deps, 'config' | 'db'>): Limiter {
  return sharedLimiter(deps, UPLOADS);
}
