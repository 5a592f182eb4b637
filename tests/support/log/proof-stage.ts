import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import { type ProofOptions, proveOnce } from '#api/proof/follow.ts';
import { rootsAt } from '#api/proof/roots.ts';
import { statementKeyOf } from '#api/proof/statements.ts';
import { readProgress, storedRoot } from '#api/proof/tree.ts';
import { fromBase64 } from '#core/crypto/base64.ts';
import { verifyConsistency } from '#core/crypto/merkle.ts';
import { type NoteVerifier, noteSigner, openNote, signatureLine } from '#core/crypto/note.ts';
import { macKeyOf } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { type CheckpointBody, readCheckpoint } from '#core/proof/checkpoint.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';

const never = new AbortController().signal;
const start = Date.parse('2026-11-23T00:00:00Z');

/** A log of its own for each test, the follower that proves it, and a clock that the test moves. Registers the hooks. */
export function proofStage() {
  let database: TestDatabase;
  let store: ReturnType<typeof createEmbeddedEventStore>;
  let minutes = 0;
  let outside: string[] = [];
  let options: ProofOptions;

  beforeEach(async () => {
    database = await testDatabase();
    const { url: connectionString, pool } = database;
    const dataKey = randomBytes(32);
    store = createEmbeddedEventStore({ pool, connectionString, dataKey });
    minutes = 0;
    outside = [];
    options = {
      ...{ log: store, pool, connectionString, host: 'jobs.example.com' },
      keys: { key: Buffer.alloc(32, 1), clock: Buffer.alloc(32, 2), before: null },
      macKey: macKeyOf(dataKey),
      statementKey: statementKeyOf(dataKey),
      outlet: { add: async (note) => void outside.push(note), newest: async () => outside.at(-1) ?? null },
      now: () => new Date(start + minutes * 60_000),
    };
  });
  afterEach(async () => {
    await store?.close();
    await database?.close();
  });

  return {
    never,
    pool: () => database.pool,
    admin: () => database.admin,
    store: () => store,
    options: () => options,
    /** What was handed out. */
    outside: () => outside,
    /** Moves the clock. */
    pass(wait: number): void {
      minutes += wait;
    },
    /** Appends so many events to a new stream. */
    seed(amount: number) {
      const stream = newJobStream();
      const events = Array.from({ length: amount }, (_, n) => notes(stream, n));
      return store.append(stream, 'no-stream', events, cause);
    },
    /** Lets the follower look once, a minute later unless said otherwise: a checkpoint is due. */
    prove(with_: Partial<ProofOptions> = {}, wait = 1) {
      minutes += wait;
      return proveOnce({ ...options, ...with_ }, silentLog, never);
    },
    stopped: async () => (await readProgress(database.pool)).stopped,
    /** The root of the stored tree and that of the log, in hex. */
    storedRoot: async (size: number) => hex(await storedRoot(database.pool, store, size)),
    logRoot: async (size: number) => hex((await rootsAt(store, [size], { signal: never })).roots.get(size)),
    /** What is in the database, by size. */
    async checkpoints(): Promise<CheckpointBody[]> {
      const { rows } = await database.pool.query<{ note: string }>(
        'select note from proof.checkpoints order by size',
      );
      return rows.flatMap(({ note }) => readCheckpoint(openNote(note, [])?.text ?? '') ?? []);
    },
  };
}

export function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('hex');
}

export type TimestampServer = Readonly<{
  url: URL;
  /** The SHA-256 of what it stamped, in hex, in order. */
  stamped: readonly string[];
  /** The header of the last request by which a client signs in. */
  authorization(): string | null;
  fail(how: 'refuse' | 'reject' | 'stamp-another' | 'cut' | null): void;
  stop(): Promise<void>;
}>;

/** TimeStampReq of RFC 3161 as `openssl ts -query -sha256 -cert` writes it: version, SHA-256 with its hash, nonce, certReq. */
const REQUEST =
  /^30[0-9a-f]{2}0201013031300d060960864801650304020105000420([0-9a-f]{64})0208([0-7][0-9a-f]{15})0101ff$/;

/** An authority on this machine that speaks RFC 3161 as far as a client reads it: its token has no signature. */
export function timestampServer(): TimestampServer {
  const stamped: string[] = [];
  let authorization: string | null = null;
  let failing: Parameters<TimestampServer['fail']>[0] = null;
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      authorization = request.headers.get('authorization');
      if (failing === 'refuse') return new Response(null, { status: 500 });
      const body = Buffer.from(await request.arrayBuffer());
      const [, hash, nonce] = REQUEST.exec(body.toString('hex')) ?? [];
      const isQuery = request.headers.get('content-type') === 'application/timestamp-query';
      if (!isQuery || !hash || !nonce || body[1] !== body.length - 2)
        return new Response(null, { status: 400 });
      if (failing === 'reject') return reply(element(0x30, element(0x30, Buffer.from([2, 1, 2]))));
      const imprint = failing === 'stamp-another' ? 'ab'.repeat(32) : hash;
      stamped.push(imprint);
      const content = [
        element(4, Buffer.from(imprint, 'hex')),
        element(2, Buffer.from(nonce, 'hex')),
        Buffer.alloc(300),
      ];
      const token = element(0x30, Buffer.concat(content));
      const whole = element(0x30, Buffer.concat([element(0x30, Buffer.from([2, 1, 0])), token]));
      return reply(failing === 'cut' ? whole.subarray(0, -9) : whole);
    },
  });
  return {
    url: new URL(`http://127.0.0.1:${server.port}/tsr`),
    stamped,
    authorization: () => authorization,
    fail: (how) => {
      failing = how;
    },
    stop: () => server.stop(true),
  };
}

function reply(bytes: Buffer): Response {
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'application/timestamp-reply' } });
}

/** An element of DER. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export type WitnessServer = Readonly<{
  url: URL;
  /** The key of its cosignatures. */
  verifier: NoteVerifier;
  /** The newest checkpoint that it has signed. */
  signed(): CheckpointBody | null;
  /** How often it was asked. */
  asked(): number;
  /** Says what it answers from now on instead of doing its work; null: it works. */
  fail(how: 'refuse' | 'hang' | 'sign-another' | 'sign-and-hang-up' | null): void;
  stop(): Promise<void>;
}>;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** A witness on this machine, by C2SP `tlog-witness`, of one log: it signs what contains all that it signed before, and nothing else. */
export function witnessServer(
  name: string,
  seed: number,
  logKeys: () => readonly NoteVerifier[],
): WitnessServer {
  const signer = noteSigner(name, new Uint8Array(32).fill(seed), 'cosignature');
  let signed: CheckpointBody | null = null;
  let asked = 0;
  let failing: Parameters<WitnessServer['fail']>[0] = null;

  function answer(text: string): Response {
    const [, head = '', note = ''] =
      /^(old \d+\n(?:[A-Za-z0-9+/]{43}=\n){0,63})\n([\s\S]*)$/.exec(text) ?? [];
    const [first = '', ...lines] = head.trimEnd().split('\n');
    const old = Number(first.slice('old '.length));
    const opened = openNote(note, logKeys());
    const body = opened && readCheckpoint(opened.text);
    if (!body || old > body.size) return new Response(null, { status: 400 });
    if (opened.signatures.length === 0) return new Response(null, { status: 403 });
    if (old !== (signed?.size ?? 0)) {
      const type = { 'content-type': 'text/x.tlog.size' };
      return new Response(`${signed?.size ?? 0}\n`, { status: 409, headers: type });
    }
    const proof = lines.map((line) => fromBase64(line) as Uint8Array);
    const isBeginning = signed ? verifyConsistency(sha256, signed, body, proof) : proof.length === 0;
    if (!isBeginning) return new Response(null, { status: 422 });
    signed = body;
    if (failing === 'sign-and-hang-up') return new Response(null, { status: 500 });
    const what = failing === 'sign-another' ? 'another text\n' : opened.text;
    return new Response(signatureLine(what, signer, new Date(1_800_000_000_000)));
  }

  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      asked += 1;
      if (failing === 'hang') return new Promise<Response>(() => {});
      if (failing === 'refuse') return new Response(null, { status: 503 });
      const { pathname } = new URL(request.url);
      if (request.method !== 'POST' || pathname !== '/w/add-checkpoint')
        return new Response(null, { status: 404 });
      return answer(await request.text());
    },
  });
  return {
    url: new URL(`http://127.0.0.1:${server.port}/w/`),
    verifier: signer.verifier,
    signed: () => signed,
    asked: () => asked,
    fail: (how) => {
      failing = how;
    },
    stop: () => server.stop(true),
  };
}
