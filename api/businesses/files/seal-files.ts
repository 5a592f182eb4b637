import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import { subjectOfFile } from '#api/providers/sealed-files.ts';
import { ConflictError } from '#core/kernel/errors.ts';

type SealDeps = Pick<Deps, 'files' | 'subjectKeys' | 'now'> & Readonly<{ db: Pool }>;

/** How long one run goes on, in milliseconds: other chores wait for it. */
const RUN = 10_000;
/** How old a file without bytes is before none are expected, in milliseconds. */
const LATE = 60 * 60_000;

type Unsealed = Readonly<{
  id: string;
  jobId: string;
  mime: string;
  sealedFor: string | null;
  createdAt: Date;
}>;

const AT_ONCE = 50;

/**
 * Seals files under the key of their job's customer: those that were sent before their job was. Answers how many. Each is written whole in place of what was there, and the key that is not needed any more destroyed last:
 * a process that is killed at any point leaves a file that opens. What could not be sealed holds up no other: what was wrong with the
 * first is thrown at the end.
 */
export async function sealFiles(deps: SealDeps, signal?: AbortSignal): Promise<number> {
  const end = performance.now() + RUN;
  const failures: unknown[] = [];
  let [sealed, after] = [0, ''];
  while (performance.now() < end && !signal?.aborted) {
    const files = await unsealedFiles(deps.db, after);
    for (const file of files) {
      await seal(deps, file).then(
        (isSealed) => {
          sealed += isSealed ? 1 : 0;
        },
        (error: unknown) => failures.push(error),
      );
    }
    after = files.at(-1)?.id ?? '';
    if (files.length < AT_ONCE) break;
  }
  if (failures.length > 0) throw failures[0];
  return sealed;
}

async function unsealedFiles(db: Pool, after: string): Promise<Unsealed[]> {
  const { rows } = await db.query<Unsealed>(
    `select id, job_id as "jobId", mime, sealed_for as "sealedFor", created_at as "createdAt" from state.files
     where job_id is not null and kind <> 'logo' and sealed_for is distinct from 'customer-' || job_id and id > $1
     order by id limit $2`,
    [after, AT_ONCE],
  );
  return rows;
}

async function seal(deps: SealDeps, { id, jobId, mime, sealedFor, createdAt }: Unsealed): Promise<boolean> {
  const { db, files, subjectKeys, now } = deps;
  const subject = subjectOfFile({ id, jobId });
  const bytes = await files.get(`media/${id}`);
  if (!bytes && now().getTime() - createdAt.getTime() < LATE) return false;
  try {
    if (bytes) await files.put(`media/${id}`, bytes, mime, subject);
  } catch (error) {
    // The customer was erased meanwhile, and the file is about to be removed.
    if (error instanceof ConflictError) return false;
    throw error;
  }
  await files.remove(`thumbs/${id}`);
  const { rowCount } = await db.query('update state.files set sealed_for = $2 where id = $1', [id, subject]);
  // What was removed meanwhile is not to come back.
  if (rowCount === 0) await files.remove(`media/${id}`);
  if (sealedFor !== null) await subjectKeys.destroy(sealedFor);
  return rowCount === 1;
}
