import type { Deps } from '#api/deps.ts';

/** The warning is repeated after so long, in milliseconds. */
const REMINDER = 60 * 60_000;

/**
 * Warns, once an hour at most, when requests come through a proxy while `TRUSTED_PROXIES` is 0: all clients then share the
 * proxy's address, and with it the limits of one. Anyone may send the header: it proves nothing, and changes nothing.
 */
export function warnOfUncountedProxies({ config, logger }: Pick<Deps, 'config' | 'logger'>) {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (headers: Headers, now = performance.now()): void => {
    if (config.trustedProxies > 0 || now - warnedAt < REMINDER || !headers.has('x-forwarded-for')) return;
    warnedAt = now;
    logger.warn({ event: 'forwarded-but-no-trusted-proxies', setting: 'TRUSTED_PROXIES' });
  };
}
