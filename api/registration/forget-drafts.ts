import type { Deps } from '#api/deps.ts';

const AT_ONCE = 100;

/**
 * Forgets drafts whose days are over, a few at a time: with its key, what a draft's events say of a person is gone for
 * good, whether it was completed (then the account has it) or never came to an end.
 */
export async function forgetDrafts({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  await db.query(
    `with over as (
       delete from state.registrations where ctid = any(array(
         select ctid from state.registrations where expires_at <= $1 limit ${AT_ONCE} for update skip locked))
       returning registration_id)
     update state.subject_keys set wrapped_key = null, destroyed_at = $1
     where subject in (select 'registration-' || registration_id from over) and destroyed_at is null`,
    [now()],
  );
}
