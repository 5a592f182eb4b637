import type { Pool } from 'pg';
import type { Config } from '#api/runtime/config/config.ts';
import { macKeyOf } from '#core/event-store/append-mac.ts';
import type { AuditOptions } from '#core/event-store/chain.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';
import { type MacFault, macFault, macsRequiredAfter } from '#projections/proof/macs.ts';
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
  const required = { key: macKeyOf(config.keys.data), after: await macsRequiredAfter(pool) };
  let differing = 0;
  let first: string | null = null;
  const take = ({ position, stream, revision, metadata }: RawEvent) => {
    const hash = Buffer.from(metadata.hash, 'hex');
    const fault = macFault({ position, hash, mac: metadata.mac ?? null }, required);
    if (!fault) return;
    differing += 1;
    first ??= `position ${position} (${stream}, revision ${revision}): ${faults[fault]}`;
  };
  return {
    async onPage(page) {
      for (const event of page) take(event);
    },
    result: (what) => ({
      lines: first
        ? [`${what}: ${differing} events were NOT APPENDED BY THIS PRODUCT, the first at ${first}`]
        : [],
      fit: differing === 0,
    }),
  };
}
