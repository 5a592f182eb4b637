import { join } from 'node:path';
import { carryOut, type ErasureDeps } from '#api/privacy/carry-out.ts';
import { fileLedger } from '#api/privacy/ledger.ts';
import { requestErasure } from '#api/privacy/request-erasure.ts';
import type { SubjectKeys } from '#core/event-store/subject-keys.ts';
import type { SignedIn, TestApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/run/temp-folder.ts';

/**
 * With what an app's persons are forgotten, with a ledger in a folder of its own, which ends with the test process. `now` is the app's
 * unless it is given.
 */
export function erasing(
  { deps, everyRow }: Pick<TestApp, 'deps' | 'everyRow'>,
  { now = deps.now, subjectKeys = deps.subjectKeys }: { now?: () => Date; subjectKeys?: SubjectKeys } = {},
): Readonly<{ deps: ErasureDeps; remove(): void }> {
  const folder = tempFolder('erasures');
  process.once('exit', folder.remove);
  const { store, files, logger, readSide } = deps;
  return {
    deps: {
      ...{ store, files, logger, now, subjectKeys, everyRow },
      ledger: fileLedger(join(folder.path, 'erasures.log')),
      awaitReadModels: async (position) =>
        (await readSide.waitFor(['jobs', 'accounts', 'public-form'], position)) === 'caught-up',
    },
    remove: folder.remove,
  };
}

/** Asks, as the operator, that the customers of these jobs be erased at once. Answers the id of the erasure, which is not carried out. */
export async function askToForget(
  deps: ErasureDeps,
  { businessId }: Pick<SignedIn, 'businessId'>,
  ids: readonly string[],
): Promise<string> {
  const erasureId = crypto.randomUUID();
  const erasure = { erasureId, scope: 'jobs', basis: 'operator', businessId, ids, isNow: true } as const;
  await requestErasure(deps, erasure);
  return erasureId;
}

/** The same, carried out. */
export async function forgetCustomers(
  deps: ErasureDeps,
  owner: Pick<SignedIn, 'businessId'>,
  ids: readonly string[],
): Promise<void> {
  await carryOut(deps, await askToForget(deps, owner, ids));
}
