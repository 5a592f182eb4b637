import { vi } from 'vitest';

/** What the work gives in a browser that has no Temporal. */
export function withoutTemporal<T>(work: () => T): T {
  vi.stubGlobal('Temporal', undefined);
  try {
    return work();
  } finally {
    vi.unstubAllGlobals();
  }
}
