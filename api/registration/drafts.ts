import type { Pool, PoolClient } from 'pg';
import type { Deps } from '#api/deps.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import { sharedLimiter } from '#api/http/limits.ts';

/** How long a secret opens its draft, in milliseconds. */
export const draftLife = 7 * 24 * 60 * 60_000;

/** What a browser said of itself; null where it said nothing that makes sense. `timezoneOffset` in minutes west of UTC. */
export type DeviceNotes = Readonly<{
  screenWidth: number | null;
  screenHeight: number | null;
  colourDepth: number | null;
  language: string | null;
  timezoneOffset: number | null;
}>;

export type NewDraft = Readonly<{ registrationId: string; sourceHash: string; device: DeviceNotes }>;

/** Opens a draft for seven days. */
export async function openDraft(
  db: PoolClient,
  { registrationId, sourceHash, device }: NewDraft,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into state.registrations (registration_id, source_hash, screen_width, screen_height, colour_depth,
       language, timezone_offset, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[registrationId, sourceHash, device.screenWidth, device.screenHeight, device.colourDepth],
      ...[device.language, device.timezoneOffset, new Date(now.getTime() + draftLife)],
    ],
  );
}

export type Draft = Readonly<{ completionKeyHash: string | null; expiresAt: Date }>;

/** The draft of an id, if its days are not over. Whether it was completed is in its events. */
export async function findDraft(db: Pool, registrationId: string, now: Date): Promise<Draft | null> {
  const { rows } = await db.query<Draft>(
    `select completion_key_hash as "completionKeyHash", expires_at as "expiresAt"
     from state.registrations where registration_id = $1 and expires_at > $2`,
    [registrationId, now],
  );
  return rows[0] ?? null;
}

/** Notes, before a draft is completed, under which key that may be asked for again. */
export async function noteCompletionKey(
  db: Pool,
  registrationId: string,
  keyHash: string | null,
): Promise<void> {
  await db.query('update state.registrations set completion_key_hash = $2 where registration_id = $1', [
    registrationId,
    keyHash,
  ]);
}

/** Far more than somebody presses Next and Back, and what one history may grow to: it is read whole at every call. */
const OFTEN = { name: 'registration-changes', points: 120, seconds: 600 };
const EVER = { name: 'registration-changes-ever', points: 1_000, seconds: draftLife / 1_000 };

/** Counts a change of a draft, by its id. Throws 429 when there were too many, lately or at all. */
export function draftLimiter(deps: Deps): (registrationId: string) => Promise<void> {
  const [often, ever] = [sharedLimiter(deps, OFTEN), sharedLimiter(deps, EVER)];
  return async (registrationId) => {
    await often.consume(registrationId);
    await ever.consume(registrationId);
  };
}

/** Keeps the hash of a password until its account is open, or the draft's days are over. Another one replaces it. */
export async function keepPendingCredential(
  db: Pool,
  registrationId: string,
  { hash, expiresAt }: Readonly<{ hash: string; expiresAt: Date }>,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into state.pending_credentials (registration_id, hash, expires_at) values ($1, $2, $3)
     on conflict (registration_id) do update set hash = excluded.hash`,
    [registrationId, hash, expiresAt],
  );
  await forgetExpired(db, 'state.pending_credentials', now);
}

/** The hash that waits for a registration's account; null when there is none, or it has moved there. */
export async function pendingHash(db: Pool, registrationId: string): Promise<string | null> {
  const { rows } = await db.query<{ hash: string }>(
    'select hash from state.pending_credentials where registration_id = $1',
    [registrationId],
  );
  return rows[0]?.hash ?? null;
}

/** The account has its password now. */
export async function dropPendingCredential(db: Pool, registrationId: string): Promise<void> {
  await db.query('delete from state.pending_credentials where registration_id = $1', [registrationId]);
}

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
