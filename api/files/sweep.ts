import type { Deps } from '#api/deps.ts';
import { loadBusiness } from '#api/settings/load-business.ts';

type Due = Readonly<{ id: string; business_id: string; kind: 'logo' | 'media' }>;

const AT_ONCE = 100;
/** A claim that was in time may still be on its way to the table, in milliseconds. */
const GRACE = 60_000;

/**
 * Deletes the files whose time is up, bytes first, so that a crash between leaves a row to come back to. Answers how many.
 * A logo that its business does show after all (a process died before it said so) is kept.
 */
export async function sweepFiles(deps: Pick<Deps, 'db' | 'store' | 'files' | 'now'>): Promise<number> {
  const { rows } = await deps.db.query<Due>(
    'select id, business_id, kind from state.files where expires_at <= $1 order by expires_at limit $2',
    [new Date(deps.now().getTime() - GRACE), AT_ONCE],
  );
  let deleted = 0;
  for (const { id, business_id: businessId, kind } of rows) {
    if (kind === 'logo' && (await loadBusiness(deps, businessId))?.branding?.logo === id) {
      await deps.db.query('update state.files set expires_at = null where id = $1', [id]);
      continue;
    }
    await deps.files.remove(`${kind === 'logo' ? 'logos' : 'media'}/${id}`);
    const { rowCount } = await deps.db.query(
      'delete from state.files where id = $1 and expires_at is not null',
      [id],
    );
    deleted += rowCount ?? 0;
  }
  return deleted;
}
