import type { TrustedTypes } from '#site/lib/trusted-types.ts';

const worker = '/sw.js';

/**
 * Has the browser cache the site's data-free pages, once this one is loaded. Nothing happens where it cannot: over plain
 * http, or in a private window of some browsers.
 */
export function cachePagesForDeadSpots(): void {
  if (!navigator.serviceWorker || !import.meta.env.PROD) return;
  const register = () =>
    navigator.serviceWorker.register(trusted(worker)).catch((refusal: unknown) => {
      console.warn('Pages are not cached for reading without a network', refusal);
    });
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}

/** Pages let no text become a script's address, save this one. */
function trusted(address: typeof worker): string {
  const policies = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  if (!policies) return address;
  const policy = policies.createPolicy('ute-worker', { createScriptURL: () => address });
  return policy.createScriptURL(address);
}
