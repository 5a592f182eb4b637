import type { Pool } from 'pg';
import { projections } from '#projections/registry.ts';
import { createMissingTables } from '#projections/runtime/live-tables.ts';
import { reservationKey } from './accounts/reservations.ts';
import type { Config } from './runtime/config/config.ts';
import { checkKeys } from './runtime/key-fingerprints.ts';

/**
 * What a migrated database lacks before it is used: tables of read models, and a look at whether it was filled with these
 * keys. For `connectDatabase` and `openDatabase`; throws ConfigError for other keys.
 */
export function completing(config: Config): (application: Pool) => Promise<void> {
  return async (application) => {
    await createMissingTables(application, projections);
    await checkKeys(application, config, (slug) => reservationKey(config, 'slug', slug));
  };
}
