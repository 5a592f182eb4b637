import { carryOut, type ErasureDeps } from './carry-out.ts';
import { dueErasures } from './erasures.ts';

/** How many at most in one run of the chore. */
const AT_ONCE = 50;

/**
 * Carries out the erasures that are due, and those that were begun and cut off; answers how many. One that cannot be completed just
 * now holds up no other: what was wrong with the first of them is thrown at the end.
 */
export async function carryOutDue(deps: ErasureDeps): Promise<number> {
  let done = 0;
  const failures: unknown[] = [];
  for (const erasureId of await dueErasures(deps.everyRow, deps.now(), AT_ONCE)) {
    await carryOut(deps, erasureId).then(
      () => {
        done += 1;
      },
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
