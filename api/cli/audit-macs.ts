import type { Pool } from 'pg';
import type { Config } from '#api/runtime/config/config.ts';
import { macKeyOf } from '#core/event-store/append-mac.ts';
import type { AuditOptions } from '#core/event-store/chain.ts';
import { type MacFault, macLook, macsRequiredAfter } from '#projections/proof/macs.ts';
import type { CheckedCheckpoints } from './audit-checkpoints.ts';

type MacCheck = Required<Pick<AuditOptions, 'onPage'>> & { result(what: string): CheckedCheckpoints };

const faults: Readonly<Record<MacFault, string>> = {
  'mac-missing': 'it has no MAC',
  'mac-wrong': 'its MAC is not of this installation',
};

/** Compares the MAC of each event that an audit passes with this installation's key. Has a line only when one does not fit. */
export async function checkMacs({
  config,
  pool,
}: Readonly<{ config: Config; pool: Pool }>): Promise<MacCheck> {
  const macs = macLook({ key: macKeyOf(config.keys.data), after: await macsRequiredAfter(pool) });
  return {
    onPage: async (page) => macs.look(page),
    result(what) {
      const found = macs.found();
      if (!found) return { lines: [], fit: true };
      const { position, stream, revision, fault } = found.first;
      const place = `position ${position} (${stream}, revision ${revision})`;
      const line = `${what}: ${found.count} events were NOT APPENDED BY THIS PRODUCT, the first at ${place}: ${faults[fault]}`;
      return { lines: [line], fit: false };
    },
  };
}
