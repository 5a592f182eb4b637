import { carryOut, type ErasureDeps } from './carry-out.ts';
import { findDispute } from './disputes/disputes.ts';
import { type DueErasure, dueErasures } from './erasures.ts';

/** How many at most in one run of the chore. */
const AT_ONCE = 50;

/**
 * Carries out the erasures that are due, and those that were begun and cut off; answers how many. One with a job that is in dispute
 * waits until that ends. One that cannot be completed just now holds up no other: what was wrong with the first of them is thrown at
 * the end.
 */
export async function carryOutDue(deps: ErasureDeps): Promise<number> {
  let done = 0;
  const failures: unknown[] = [];
  const disputed: string[] = [];
  for (const erasure of await freeToBegin(deps, disputed)) {
    await carryOut(deps, erasure.erasureId).then(
      () => {
        done += 1;
      },
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
  return done;
}

/** The next ones; `disputed` takes those that wait, so that however many do, the others are found. */
async function freeToBegin(deps: ErasureDeps, disputed: string[]): Promise<DueErasure[]> {
  const now = deps.now();
  for (;;) {
    const due = await dueErasures(deps.everyRow, now, AT_ONCE, disputed);
    const free: DueErasure[] = [];
    for (const erasure of due) {
      const isKept = erasure.status === 'requested' && (await findDispute(deps, erasure, now)) !== null;
      if (isKept) disputed.push(erasure.erasureId);
      else free.push(erasure);
    }
    if (free.length > 0 || due.length < AT_ONCE) return free;
  }
}
