import { hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { chainText } from '#core/proof/record.ts';
import { comparePositions, type Position, START } from './port.ts';
import type { NewRawEvent, RawEvent, RawLog } from './raw-log.ts';

/** What is known of an event before it has a hash. */
export type Unhashed = Omit<NewRawEvent, 'metadata'> &
  Readonly<{ stream: string; revision: number; metadata: Readonly<Record<string, string>> }>;

/** SHA-256, in hex, that ties an event to the one before it in its stream. `previous` is null for the first. */
export function chainHash(previous: string | null, event: Unhashed): string {
  return hash('sha256', chainText(previous, event), 'hex');
}

/** The first event that does not fit, and why. */
export type ChainBreak = Readonly<{ position: Position; stream: string; revision: number; reason: string }>;

/** `checked` counts the events before it. */
export type ChainReport = Readonly<{ checked: number; broken: ChainBreak | null }>;

/**
 * Follows the chains of all streams through the log, from its first event, and stops at the first one that does not fit:
 * changed, missing before it, or out of turn. Keeps one hash per stream in memory. `gapless` says that positions count
 * 1, 2, 3 …: then an event that is missing shows at its own place, be it the last of its stream.
 */
export async function verifyChain(
  events: AsyncIterable<RawEvent> | Iterable<RawEvent>,
  { gapless = false }: { gapless?: boolean } = {},
): Promise<ChainReport> {
  const ends = new ChainEnds();
  let checked = 0;
  let last = START;
  for await (const event of events) {
    const { position, stream, revision } = event;
    const reason = (gapless && gapBefore(position, last)) || misfit(ends.get(stream), event);
    if (reason) return { checked, broken: { position, stream, revision, reason } };
    ends.set(stream, revision, event.metadata.hash);
    last = position;
    checked += 1;
  }
  return { checked, broken: null };
}

function gapBefore(position: Position, last: Position): string | null {
  const missing = BigInt(position) - BigInt(last) - 1n;
  if (missing === 0n) return null;
  const first = BigInt(last) + 1n;
  return missing === 1n
    ? `position ${first} is missing before it`
    : `positions ${first} to ${first + missing - 1n} are missing before it`;
}

function misfit(end: { revision: number; hash: string | null }, event: RawEvent): string | null {
  if (event.revision !== end.revision + 1) return `revision ${event.revision} follows ${end.revision}`;
  const { hash, mac: _, ...metadata } = Object(event.metadata) as RawEvent['metadata'];
  try {
    return chainHash(end.hash, { ...event, metadata }) === hash ? null : 'the hash does not fit';
  } catch {
    return 'the hash cannot be computed';
  }
}

const HASH_BYTES = 32;
const SLOT_BYTES = 4 + HASH_BYTES;

/** The last event of each stream, packed: a million streams take about as much memory as their names. */
class ChainEnds {
  readonly #slots = new Map<string, number>();
  #bytes = Buffer.alloc(SLOT_BYTES * 1024);

  /** Revision -1 and no hash for a stream that was not seen yet. */
  get(stream: string): { revision: number; hash: string | null } {
    const slot = this.#slots.get(stream);
    if (slot === undefined) return { revision: -1, hash: null };
    const start = slot * SLOT_BYTES;
    return {
      revision: this.#bytes.readUInt32LE(start),
      hash: this.#bytes.toString('hex', start + 4, start + SLOT_BYTES),
    };
  }

  /** `hash` is 64 hex digits in lower case. */
  set(stream: string, revision: number, hash: string): void {
    const slot = this.#slots.get(stream) ?? this.#slots.size;
    this.#slots.set(stream, slot);
    const start = slot * SLOT_BYTES;
    if (start === this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    this.#bytes.writeUInt32LE(revision, start);
    this.#bytes.write(hash, start + 4, HASH_BYTES, 'hex');
  }
}

/** Events per read: with the largest events a page stays below 64 MB. */
const PAGE = 1_000;

export type AuditOptions = Readonly<{
  /** Aborted, the audit throws the reason. */
  signal: AbortSignal;
  onProgress(event: RawEvent): void;
  /** What else looks at the events, page by page in their order, before their chains are looked at. */
  onPage?(page: readonly RawEvent[]): Promise<void>;
}>;

/**
 * Verifies the chains of all streams, from the first event of the log to the one that is its last when this starts.
 * `gapless` as in `verifyChain`. Throws `EventStoreUnavailableError`.
 */
export async function auditLog(
  log: Pick<RawLog, 'readAll' | 'head'>,
  { gapless, ...options }: AuditOptions & { gapless: boolean },
): Promise<ChainReport> {
  const head = await log.head();
  async function* events() {
    let after = START;
    while (comparePositions(after, head) < 0) {
      const page = (await log.readAll(after, PAGE)).filter(
        ({ position }) => comparePositions(position, head) <= 0,
      );
      if (page.length === 0) return;
      await options.onPage?.(page);
      yield* page;
      after = page.at(-1)?.position ?? head;
    }
  }
  return verifyChain(watched(events(), options), { gapless });
}

/** Verifies the chain of one stream. `checked` is 0 for one that does not exist. Throws `EventStoreUnavailableError`. */
export async function auditStream(
  log: Pick<RawLog, 'readStream'>,
  stream: StreamName,
  options: AuditOptions,
): Promise<ChainReport> {
  async function* events() {
    for (let from = 0; ; ) {
      const page = await log.readStream(stream, from, PAGE);
      await options.onPage?.(page);
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      from = last.revision + 1;
    }
  }
  return verifyChain(watched(events(), options));
}

async function* watched(
  events: AsyncIterable<RawEvent>,
  { signal, onProgress }: AuditOptions,
): AsyncGenerator<RawEvent> {
  for await (const event of events) {
    signal.throwIfAborted();
    yield event;
    onProgress(event);
  }
}

/** Bytes of a message authentication code: half of the HMAC, as section 5 of RFC 2104 allows. */
const MAC_BYTES = 16;

/** The key that shows that an event was appended by the product, drawn from `dataKey` (32 bytes). */
export function macKeyOf(dataKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', 'ute/append-mac', 32));
}

/** The code of an event, in base64url, over its hash (32 bytes), which covers all else of it. */
export function macOf(key: Buffer, hash: Buffer): string {
  return new Bun.CryptoHasher('sha256', key).update(hash).digest().toString('base64url', 0, MAC_BYTES);
}

/**
 * The events as they are stored. The code is in neither chain nor tree, so that a log can be verified without any key;
 * who may write into the database but has no key cannot make one.
 */
export function withMacs(key: Buffer, events: readonly NewRawEvent[]): NewRawEvent[] {
  return events.map((event) => {
    const { metadata } = event;
    return { ...event, metadata: { ...metadata, mac: macOf(key, Buffer.from(metadata.hash, 'hex')) } };
  });
}

/** Whether `mac` is the code of the event with this hash (32 bytes). */
export function isMac(key: Buffer, hash: Buffer, mac: string): boolean {
  const [given, right] = [Buffer.from(mac), Buffer.from(macOf(key, hash))];
  return given.length === right.length && timingSafeEqual(given, right);
}
