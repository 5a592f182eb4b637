import { addToLedger, type ErasureDeps, erase, findRemains } from './carry-out.ts';
import type { LedgerLine } from './ledger.ts';
import type { Erased } from './places.ts';

const AT_ONCE = 5_000;

/**
 * Erases whom the ledger names and the database does not know as erased: after a restore everybody is back whom an older copy
 * knew. Makes the ledger where there is none. To be awaited before a process serves or sends. Answers how many it erased; logs
 * `erasure-ledger-broken` where lines were changed or are missing, and applies the ones that are there all the same.
 */
export async function applyLedger(deps: ErasureDeps): Promise<number> {
  await addToLedger(deps, []);
  const { lines, isWhole } = (await deps.ledger.read()) ?? { lines: [], isWhole: false };
  if (!isWhole) deps.logger.error({ event: 'erasure-ledger-broken', file: deps.ledger.file });
  let erased = 0;
  for (let begin = 0; begin < lines.length; begin += AT_ONCE) {
    const back = await stillThere(deps, lines.slice(begin, begin + AT_ONCE));
    for (const [erasureId, subjects] of Map.groupBy(back, (line) => line.erasureId)) {
      await erase(deps, { erasureId, erased: erasedOf(subjects) });
      erased += subjects.length;
    }
  }
  if (erased > 0) deps.logger.warn({ event: 'erasures-repeated', subjects: erased });
  return erased;
}

/** Of whom the ledger says that they are erased, and of whom there is something all the same. Changes nothing. */
export async function findReturned(deps: Pick<ErasureDeps, 'everyRow' | 'ledger'>): Promise<LedgerLine[]> {
  const { lines } = (await deps.ledger.read()) ?? { lines: [] };
  return stillThere(deps, lines);
}

/** Those of whom something is there: a key, or rows of an older copy of the database. */
async function stillThere(
  deps: Pick<ErasureDeps, 'everyRow'>,
  lines: readonly LedgerLine[],
): Promise<LedgerLine[]> {
  const found = new Set((await findRemains(deps, erasedOf(lines))).map(({ subject }) => subject));
  return lines.filter(({ subject }) => found.has(subject));
}

function erasedOf(lines: readonly LedgerLine[]): Erased {
  return {
    ...{ jobIds: idsOf(lines, 'customer-'), demoIds: idsOf(lines, 'demo-') },
    ...{ accountIds: idsOf(lines, 'account-'), businessIds: idsOf(lines, 'business-') },
  };
}

function idsOf(lines: readonly LedgerLine[], prefix: string): string[] {
  return lines.flatMap(({ subject }) => (subject.startsWith(prefix) ? [subject.slice(prefix.length)] : []));
}
