import { createHmac, createPrivateKey, hkdfSync, sign, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { type NoteSigner, signNote } from '#core/crypto/note.ts';
import { comparePositions, type Position } from '#core/event-store/port.ts';
import type { StoredLog } from '#core/event-store/raw-log.ts';
import { pause } from '#core/kernel/pause.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { writeStatement } from '#core/proof/record.ts';
import { signersOf } from './checkpoints.ts';
import { readEpoch } from './epochs.ts';
import { findCheckpoint, findLeaf, findPosition } from './read.ts';
import { readProgress } from './tree.ts';

/** That a record has all events of its stream that are among some first leaves, up to the revision `last`. `sha256` is the record's, in base64. */
export type RecordClaim = Readonly<{ stream: StreamName; last: number; sha256: string }>;

/** A note that is asked for: a checkpoint that has the event at a position, or a statement about a record of the first `size` leaves. */
export type NoteRequest =
  | Readonly<{ kind: 'checkpoint'; position: Position }>
  | (Readonly<{ kind: 'record'; size: number }> & RecordClaim);

/** Statements about several records of the first `size` leaves. */
export type StatementsRequest = Readonly<{ size: number; records: readonly RecordClaim[] }>;

/** What the process that signs is asked for. */
type SignRequest = NoteRequest | (Readonly<{ kind: 'records' }> & StatementsRequest);

/** Records that are asked for at once, at most. */
export const MOST_RECORDS = 100;

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
export function requestNote(db: Pool, key: Buffer, id: string, request: NoteRequest): Promise<string | null> {
  return ask(db, key, id, request, 'select note from proof.statements where id = $1');
}

/**
 * Asks for statements about at most `MOST_RECORDS` records, under a UUID: a note for each, null for one that was refused. Null when none
 * came within about two seconds. The answer does not stay in the table, where it would be of forty kilobytes.
 */
export async function requestStatements(
  db: Pool,
  key: Buffer,
  id: string,
  request: StatementsRequest,
): Promise<(string | null)[] | null> {
  const taken = 'delete from proof.statements where id = $1 and note is not null returning note';
  const answer = await ask(db, key, id, { kind: 'records', ...request }, taken);
  return answer === null ? null : JSON.parse(answer);
}

async function ask(
  db: Pool,
  key: Buffer,
  id: string,
  request: SignRequest,
  look: string,
): Promise<string | null> {
  const body = JSON.stringify(request);
  await db.query(
    plannedOnce(
      `with asked as (insert into proof.statements (id, body, code) values ($1, $2, $3) returning id)
      select pg_notify($4, '') from asked`,
      [id, body, codeOf(key, id, body).toString('base64'), statementChannel],
    ),
  );
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const { rows } = await db.query<{ note: string | null }>(plannedOnce(look, [id]));
    if (rows[0]?.note) return rows[0].note;
    await pause(LOOK_MS);
  }
  return null;
}

/**
 * A checkpoint that has the event at a position: the newest, where the tree ends with it and has come that far, or one that is asked
 * for. Null when none came within about two seconds.
 */
export type CheckpointWith = (position: Position) => Promise<string | null>;

/** In a rush one request serves all who come meanwhile. */
export function checkpointRequests(db: Pool, key: Buffer, newId: () => string): CheckpointWith {
  let onItsWay: Promise<string | null> | null = null;
  return async (position) => {
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
      if (!onItsWay) break;
      if ((await onItsWay) === null) return null;
    }
    onItsWay = requestNote(db, key, newId(), { kind: 'checkpoint', position }).finally(() => {
      onItsWay = null;
    });
    return onItsWay;
  };
}

/** A request whose code fits. */
export type OpenRequest = Readonly<{ id: string; request: SignRequest }>;

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

/** Signs what was asked for as far as it is so; nothing once the tree is stopped. Answers whether all of it was. */
export async function answerRequests(signing: Signing, requests: readonly OpenRequest[]): Promise<boolean> {
  let answered = 0;
  for (const { id, request } of requests) {
    const note = await noteFor(signing, request);
    if (note === null) continue;
    answered += 1;
    await signing.pool.query(plannedOnce('update proof.statements set note = $2 where id = $1', [id, note]));
  }
  return answered === requests.length;
}

async function noteFor(signing: Signing, request: SignRequest): Promise<string | null> {
  const { pool, log } = signing;
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
  if (request.size > checkpoint.size) return null;
  const { origin } = epoch;
  if (request.kind === 'record')
    return (await statementsFor(signing, origin, request.size, [request]))[0] ?? null;
  if (request.records.length > MOST_RECORDS) return null;
  return JSON.stringify(await statementsFor(signing, origin, request.size, request.records));
}

/** A statement about each record whose last event is the last of its stream among the first `size` leaves, by the log itself. */
async function statementsFor(
  { pool, log, keys, now }: Signing,
  origin: string,
  size: number,
  records: readonly RecordClaim[],
): Promise<(string | null)[]> {
  const [signer] = signersOf(origin, keys);
  const end = await findPosition(pool, log, size);
  if (!signer || end === null) return records.map(() => null);
  const events = await log.readStoredStreams([...new Set(records.map(({ stream }) => stream))]);
  const lasts = new Map(
    events
      .filter(({ position }) => comparePositions(position, end) <= 0)
      .map(({ stream, revision }) => [stream, revision]),
  );
  const native = withNativeSignature(signer);
  return records.map(({ stream, last, sha256 }) => {
    if (lasts.get(stream) !== last) return null;
    return signNote(writeStatement({ origin, stream, size, first: 0, last, sha256 }), [native], now());
  });
}

const PKCS8_OF_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs the same by the code of the runtime, which is faster by twenty times. */
function withNativeSignature(signer: NoteSigner): NoteSigner {
  const der = Buffer.concat([PKCS8_OF_ED25519, signer.seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { ...signer, sign: (message) => sign(null, message, key) };
}
