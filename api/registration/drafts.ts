import type { Pool, PoolClient } from 'pg';
import type { Deps } from '#api/deps.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { UnstorableEventError } from '#core/event-store/errors.ts';
import { open, seal } from '#core/event-store/sealed.ts';
import { holdsOnlyWellFormed } from '#core/event-store/storable.ts';
import { emptyDraft, noAnswers, type RegistrationDraft } from '#core/registration/draft.ts';

/** How long a secret opens its draft, in milliseconds. */
const draftLife = 7 * 24 * 60 * 60_000;

/** What a browser reports of itself; null where that makes no sense. `timezoneOffset` in minutes west of UTC. */
export type DeviceNotes = Readonly<{
  screenWidth: number | null;
  screenHeight: number | null;
  colourDepth: number | null;
  language: string | null;
  timezoneOffset: number | null;
}>;

export type NewDraft = Readonly<{ registrationId: string; sourceHash: string; device: DeviceNotes }>;

/** Opens a draft for seven days; one that is open stays as it is. */
export async function openDraft(
  db: Pool | PoolClient,
  { registrationId, sourceHash, device }: NewDraft,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into state.registrations (registration_id, source_hash, screen_width, screen_height, colour_depth,
       language, timezone_offset, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (registration_id) do nothing`,
    [
      ...[registrationId, sourceHash, device.screenWidth, device.screenHeight, device.colourDepth],
      ...[device.language, device.timezoneOffset, new Date(now.getTime() + draftLife)],
    ],
  );
}

/** A draft that is not over yet. `draft` is null while none is stored: then its events tell it. */
export type StoredDraft = Readonly<{
  draft: RegistrationDraft | null;
  /** How often it was changed. */
  revision: number;
  completionKeyHash: string | null;
  expiresAt: Date;
}>;

type DraftDeps = Pick<Deps, 'db' | 'subjectKeys' | 'now'>;

/** The draft of an id; null when its days are over or its key is destroyed. Whether it was completed is in its events. */
export async function findDraft(
  { db, subjectKeys, now }: DraftDeps,
  registrationId: string,
): Promise<StoredDraft | null> {
  const { rows } = await db.query<Omit<StoredDraft, 'draft'> & { sealed: Buffer | null }>(
    `select draft as sealed, draft_revision as revision, completion_key_hash as "completionKeyHash",
       expires_at as "expiresAt"
     from state.registrations where registration_id = $1 and expires_at > $2`,
    [registrationId, now()],
  );
  if (!rows[0]) return null;
  const { sealed, ...stored } = rows[0];
  if (sealed === null) return { ...stored, draft: null };
  const subject = subjectOf(registrationId);
  const key = (await subjectKeys.find([subject])).get(subject);
  if (key === 'destroyed') return null;
  if (!key) throw new Error('the key of a draft is missing');
  return { ...stored, draft: unsealed(key, sealed, subject) };
}

/**
 * Stores a draft over the one of `revision`, sealed under the key of its subject. False when that was changed or is over.
 * Throws UnstorableEventError for text that no milestone could hold.
 */
export async function storeDraft(
  { db, subjectKeys, now }: DraftDeps,
  { registrationId, revision }: Readonly<{ registrationId: string; revision: number }>,
  draft: RegistrationDraft,
): Promise<boolean> {
  if (!holdsOnlyWellFormed(draft)) throw new UnstorableEventError('the draft: text is not well-formed');
  const subject = subjectOf(registrationId);
  const key = (await subjectKeys.ensure([subject])).get(subject);
  if (!Buffer.isBuffer(key)) return false;
  const { iv, tag, ct } = seal(key, Buffer.from(JSON.stringify(draft), 'utf8'), `${subject}/draft`);
  const { rowCount } = await db.query(
    `update state.registrations set draft = $3, draft_revision = draft_revision + 1
     where registration_id = $1 and draft_revision = $2 and expires_at > $4`,
    [registrationId, revision, Buffer.concat([iv, tag, ct]), now()],
  );
  return rowCount === 1;
}

/**
 * Notes, before the draft of `revision` is completed, under which key that may be asked for again. False when the draft was
 * changed meanwhile.
 */
export async function noteCompletionKey(
  db: Pool,
  { registrationId, revision }: Readonly<{ registrationId: string; revision: number }>,
  keyHash: string | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'update state.registrations set completion_key_hash = $3 where registration_id = $1 and draft_revision = $2',
    [registrationId, revision, keyHash],
  );
  return rowCount === 1;
}

/** The account is open: it has the password now, and what was typed for it is dropped. */
export async function dropDraft(db: Pool, registrationId: string): Promise<void> {
  await db.query(
    `with moved as (delete from state.pending_credentials where registration_id = $1)
     update state.registrations set draft = null, draft_revision = draft_revision + 1 where registration_id = $1`,
    [registrationId],
  );
}

/** Far more than a person presses Next and Back, and the most that one draft may be changed. */
const OFTEN = { name: 'registration-changes', points: 120, seconds: 600 };
const EVER = { name: 'registration-changes-ever', points: 1_000, seconds: draftLife / 1_000 };

/** Counts a change of a draft, by its id. Throws 429 when there were too many, lately or at all. */
export function draftLimiter(deps: Pick<Deps, 'config' | 'db'>): (registrationId: string) => Promise<void> {
  const [often, ever] = [sharedLimiter(deps, OFTEN), sharedLimiter(deps, EVER)];
  return async (registrationId) => {
    await often.consume(registrationId);
    await ever.consume(registrationId);
  };
}

/** Stores the hash of a password until its account is open, or the draft's days are over. Another one replaces it. */
export async function storePendingCredential(
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

function subjectOf(registrationId: string): string {
  return `registration-${registrationId}`;
}

/** A draft of an earlier release reads with what it lacks empty. */
function unsealed(key: Buffer, sealed: Buffer, subject: string): RegistrationDraft {
  const parts = { iv: sealed.subarray(0, 12), tag: sealed.subarray(12, 28), ct: sealed.subarray(28) };
  const draft = JSON.parse(open(key, parts, `${subject}/draft`).toString('utf8'));
  return { ...emptyDraft, ...draft, answers: { ...noAnswers, ...draft.answers } };
}
