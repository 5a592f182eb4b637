import type { Pool } from 'pg';
import type { Config } from '#api/runtime/config/config.ts';
import { macKeyOf } from '#core/event-store/append-mac.ts';
import type { AuditOptions } from '#core/event-store/chain.ts';
import { UnreadableError } from '#core/event-store/errors.ts';
import { type Keys, openCommitment, subjectsOf } from '#core/event-store/personal-fields.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
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

type Outcome = 'fits' | 'none' | 'erased' | { differs: string };

type Opening = Required<Pick<AuditOptions, 'onPage'>> & { result(what: string): CheckedCheckpoints };

/** Opens the personal fields of the events that an audit passes, with this installation's keys. */
export function openingOf({ config, pool }: Readonly<{ config: Config; pool: Pool }>): Opening {
  const keys = createSubjectKeys({ pool, dataKey: config.keys.data });
  const counts = { fits: 0, none: 0, erased: 0 };
  let differing = 0;
  let first: string | null = null;
  return {
    async onPage(page) {
      const sealed = page.filter((event) => subjectsOf([event]).length > 0);
      const found = await keys.find(subjectsOf(sealed));
      for (const event of sealed) {
        const outcome = outcomeOf(event, found);
        if (typeof outcome === 'string') {
          counts[outcome] += 1;
          continue;
        }
        differing += 1;
        first ??= `position ${event.position} (${event.stream}, revision ${event.revision}): ${outcome.differs}`;
      }
    },
    result(what) {
      const lines = [
        `${what}: the personal fields of ${counts.fits} events are those that were sealed; ${counts.erased} are of people who were removed, ${counts.none} of before commitments`,
        ...(first ? [`${what}: ${differing} DO NOT OPEN as they were sealed, the first at ${first}`] : []),
      ];
      return { lines, fit: differing === 0 };
    },
  };
}

function outcomeOf(event: RawEvent, keys: Keys): Outcome {
  try {
    const { kind } = openCommitment(event, keys);
    return kind === 'differs' ? { differs: 'they are not those that were committed to' } : kind;
  } catch (error) {
    if (error instanceof UnreadableError) return { differs: error.message };
    throw error;
  }
}
