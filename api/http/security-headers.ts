import type { Config } from '#api/runtime/config/config.ts';

/** For answers that are no page: nothing may run, frame or load. */
export const DATA_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** Headers of every answer, errors included. Pages bring the CSP of their build (`pages.ts`). */
export function securityHeaders(config: Pick<Config, 'publicOrigin'>): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // `no-referrer` would make browsers send `Origin: null` with our own forms.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(config.publicOrigin.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  };
}

/** Added to every answer below `/api`. */
export const apiHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': DATA_CSP,
  'cache-control': 'no-store',
};
