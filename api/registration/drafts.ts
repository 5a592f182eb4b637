import type { Pool, PoolClient } from 'pg';

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
