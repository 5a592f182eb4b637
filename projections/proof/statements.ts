import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import type { Position } from '#core/event-store/port.ts';
import type { StoredLog } from '#core/event-store/raw-log.ts';
import { pause } from '#core/kernel/pause.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { signNote } from '#core/proof/note.ts';
import { writeStatement } from '#core/proof/record.ts';
import { signersOf } from './checkpoints.ts';
import { readEpoch } from './epochs.ts';
import { findCheckpoint, findLeaf } from './read.ts';
import { readProgress } from './tree.ts';

/**
 * What the process that signs is asked for: a checkpoint that has the event at a position, or a statement that a record of
 * a stream has all its events of the first `size` leaves, up to the revision `last`. `sha256` is the record's, in base64.
 */
export type NoteRequest =
  | Readonly<{ kind: 'checkpoint'; position: Position }>
  | Readonly<{ kind: 'record'; stream: StreamName; size: number; last: number; sha256: string }>;

export const statementChannel = 'proof_statements';

/** How often and how many times an answer is looked for: for about two seconds. */
const LOOK_MS = 40;
const LOOKS = 50;

/** The key of the codes by which requests of this installation are known, from its data key. */
export function statementKeyOf(dataKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', 'ute/statement-request', 32));
}

function codeOf(key: Buffer, id: string, body: string): Buffer {
  return createHmac('sha256', key).update(`${id}\n${body}`, 'utf8').digest();
}

/** Asks for a note, under a UUID. Null when none came within about two seconds: nothing signs, or it was refused. */
export async function requestNote(
  db: Pool,
  key: Buffer,
  id: string,
  request: NoteRequest,
): Promise<string | null> {
  const body = JSON.stringify(request);
  await db.query(
    plannedOnce(
      `with asked as (insert into proof.statements (id, body, code) values ($1, $2, $3) returning id)
      select pg_notify($4, '') from asked`,
      [id, body, codeOf(key, id, body).toString('base64'), statementChannel],
    ),
  );
  for (let look = 0; look < LOOKS; look += 1) {
    const { rows } = await db.query<{ note: string | null }>(
      plannedOnce('select note from proof.statements where id = $1', [id]),
    );
    if (rows[0]?.note) return rows[0].note;
    await pause(LOOK_MS);
  }
  return null;
}

/** The requests for a checkpoint that are on their way, by the pool that they go through. */
const onTheirWay = new WeakMap<Pool, Promise<string | null>>();

/**
 * A checkpoint that has the event at `position`: the newest, where the tree ends with it and has come that far, or one that is asked
 * for. In a rush one request serves all who come meanwhile. Null when none came within about two seconds.
 */
export async function checkpointOf(
  db: Pool,
  key: Buffer,
  newId: () => string,
  position: Position,
): Promise<string | null> {
  for (;;) {
    const { rows } = await db.query<{ note: string }>(
      plannedOnce(
        `select newest.note from proof.progress tree join lateral (
          select size, note from proof.checkpoints order by epoch desc, size desc limit 1
        ) newest on newest.size = tree.size where tree.position >= $1 and tree.stopped is null`,
        [position],
      ),
    );
    if (rows[0]) return rows[0].note;
    const other = onTheirWay.get(db);
    if (!other) break;
    if ((await other) === null) return null;
  }
  const asked = requestNote(db, key, newId(), { kind: 'checkpoint', position }).finally(() =>
    onTheirWay.delete(db),
  );
  onTheirWay.set(db, asked);
  return asked;
}

/** A request whose code fits. */
export type OpenRequest = Readonly<{ id: string; request: NoteRequest }>;

export const asksForCheckpoint = ({ request }: OpenRequest): boolean => request.kind === 'checkpoint';

/** The requests of the last minute that have no answer; what was asked more than a day ago is deleted. */
export async function readRequests(db: Pool, key: Buffer): Promise<OpenRequest[]> {
  const { rows } = await db.query<{ id: string; body: string; code: string }>(
    plannedOnce(
      `with old as (delete from proof.statements where asked_at < now() - interval '1 day')
      select id, body, code from proof.statements
      where note is null and asked_at > now() - interval '1 minute' order by asked_at limit 100`,
      [],
    ),
  );
  return rows
    .filter(({ id, body, code }) => isEqual(codeOf(key, id, body), Buffer.from(code, 'base64')))
    .map(({ id, body }) => ({ id, request: JSON.parse(body) }));
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

type Signing = Readonly<{
  pool: Pool;
  log: StoredLog;
  keys: Parameters<typeof signersOf>[1];
  now: () => Date;
}>;

/** Signs what was asked for as far as it is so; nothing once the tree is stopped. */
export async function answerRequests(signing: Signing, requests: readonly OpenRequest[]): Promise<void> {
  for (const { id, request } of requests) {
    const note = await noteFor(signing, request);
    if (note === null) continue;
    await signing.pool.query(plannedOnce('update proof.statements set note = $2 where id = $1', [id, note]));
  }
}

async function noteFor({ pool, log, keys, now }: Signing, request: NoteRequest): Promise<string | null> {
  const [checkpoint, epoch, { stopped }] = [
    await findCheckpoint(pool),
    await readEpoch(pool),
    await readProgress(pool),
  ];
  if (!checkpoint || !epoch || stopped !== null) return null;
  if (request.kind === 'checkpoint') {
    const index = await findLeaf(pool, log, request.position);
    return index !== null && index < checkpoint.size ? checkpoint.note : null;
  }
  const { stream, size, last, sha256 } = request;
  if (size > checkpoint.size || !(await isLastOf({ pool, log }, request))) return null;
  const text = writeStatement({ origin: epoch.origin, stream, size, first: 0, last, sha256 });
  const [signer] = signersOf(epoch.origin, keys);
  return signer ? signNote(text, [signer], now()) : null;
}

/** Whether `last` is the last revision of the stream among the first `size` leaves, by the log itself. */
async function isLastOf(
  { pool, log }: Pick<Signing, 'pool' | 'log'>,
  { stream, size, last }: Extract<NoteRequest, { kind: 'record' }>,
): Promise<boolean> {
  const [event, next] = await log.readStored(stream, last, 2);
  if (!event || event.revision !== last) return false;
  const index = await findLeaf(pool, log, event.position);
  if (index === null || index >= size) return false;
  if (!next) return true;
  const after = await findLeaf(pool, log, next.position);
  return after === null || after >= size;
}
