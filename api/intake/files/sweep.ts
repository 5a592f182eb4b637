import { loadBusiness } from '#api/businesses/load-business.ts';
import type { Deps } from '#api/deps.ts';

type SweepDeps = Pick<Deps, 'db' | 'store' | 'files' | 'now'>;

type Due = Readonly<{ id: string; business_id: string; kind: 'logo' | 'media' }>;

const AT_ONCE = 100;
/** An attachment that was in time may still be on its way to the table, in milliseconds. */
const GRACE = 60_000;

/**
 * Deletes the files whose time is up; answers how many. A file that cannot be deleted just now holds up no other: what
 * was wrong with the first of them is thrown at the end.
 */
export async function sweepFiles(deps: SweepDeps): Promise<number> {
  const { rows } = await deps.db.query<Due>(
    'select id, business_id, kind from state.files where expires_at <= $1 order by expires_at limit $2',
    [new Date(deps.now().getTime() - GRACE), AT_ONCE],
  );
  let deleted = 0;
  const failures: unknown[] = [];
  for (const due of rows) {
    await sweep(deps, due).then(
      (isGone) => {
        deleted += isGone ? 1 : 0;
      },
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
  return deleted;
}

/**
 * Bytes first, so that a crash between leaves a row to come back to. A logo that its business does show after all, because
 * a process died before it recorded that, is stored.
 */
async function sweep(deps: SweepDeps, { id, business_id: businessId, kind }: Due): Promise<boolean> {
  if (kind === 'logo' && (await loadBusiness(deps, businessId))?.logo === id) {
    await deps.db.query('update state.files set expires_at = null where id = $1', [id]);
    return false;
  }
  await deps.files.remove(`${kind === 'logo' ? 'logos' : 'media'}/${id}`);
  const { rowCount } = await deps.db.query(
    'delete from state.files where id = $1 and expires_at is not null',
    [id],
  );
  return rowCount === 1;
}
