import { HttpError, unavailable } from '#api/http/answers.ts';
import { addressKey, widerNetworks } from '#api/http/client-address.ts';
import { contextOf } from '#api/http/request-context.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { BODY_LIMIT } from './body-rules.ts';
import { giveBack, keepPieces, type Pieces } from './pieces.ts';
import { announcesLong, bodyWasRead } from './unread-bodies.ts';

/** Seconds after which a second upload of one source may try again. */
const RETRY = '5';
/** Milliseconds without a byte after which another upload of the same source may take an upload's turn. */
const IDLE = 5_000;
/** Milliseconds for every upload, and bytes a second for which a longer one gets more. */
const [READING_TIME, LEAST_RATE] = [120_000, 64 * 1024];
/** Milliseconds after which an upload gives way to another one where there is no room for both. */
const GIVES_WAY = 10_000;
/** Long bodies at once whose senders are still asked about, and bytes of them that make any number of bodies welcome. */
const [MOST_HELD_BACK, FEW_BYTES] = [8, 16 * 1024 * 1024];
/** Uploads at once of an IPv6 /48, in which a single client may have many networks. */
const TURNS_OF_NETWORK = 4;

/** One body on its way in. Disposed, it gives back its bytes and its source's turn. */
export type Upload = Disposable &
  Readonly<{
    /**
     * The request's body as it comes; a piece is good until the next is asked for. Throws 408 when it comes too slowly or its turn was taken, and 503 when it gave way to
     * another upload or the budget is spent; then nothing more is read.
     */
    chunks(): AsyncGenerator<Uint8Array, void>;
    /** A place for bytes of it. What is not joined by its end is dropped with it. */
    keep(): Pieces;
  }>;

/**
 * What a process takes of long bodies at once, and from whom. One for all routes that take more than `BODY_LIMIT`. A byte counts from
 * its arrival until its upload ends, also where it is thrown away: its memory comes back later than that.
 */
export type Uploads = Readonly<{
  /**
   * A place for the body of this request, before a byte of it is read. Throws 429 while another one of the same source is on its
   * way; a body that says it is no longer than `BODY_LIMIT` needs no turn and is not counted.
   */
  open(request: Request): Upload;
  /**
   * Counts a long body that is not read until its route knows whose it is. Throws 503 where there are many that are large: Bun holds what
   * arrives of each meanwhile, and gives it all at once when the crowd is read.
   */
  holdBack(request: Request): void;
  /** Says that a request is answered. */
  letGo(request: Request): void;
  /** Bytes that arrived of the uploads on their way. */
  bytesInFlight(): number;
}>;

/** An upload that is counted. While it is read it can be ended, from wherever. */
type Counted = {
  /** Its client, and the network around it; null where limits are off. */
  readonly source: Readonly<{ client: string; network: string }> | null;
  readonly openedAt: number;
  lastByteAt: number;
  received: number;
  readonly kept: Pieces[];
  reader: ReadableStreamDefaultReader<Uint8Array> | null;
  ended: HttpError | null;
};

export function createUploads(
  { uploadBudget, rateLimits }: Pick<Config, 'uploadBudget' | 'rateLimits'>,
  now: () => Date,
): Uploads {
  const open = new Set<Counted>();
  /** Bytes that each announces. */
  const heldBack = new Map<Request, number>();
  let inFlight = 0;

  function takeTurn(upload: Counted): void {
    const { source } = upload;
    if (source) {
      const others = [...open].filter((other) => other.source?.network === source.network);
      const same = others.find((other) => other.source?.client === source.client);
      const inTheWay = same ?? (others.length < TURNS_OF_NETWORK ? undefined : others.find(isIdle));
      if (inTheWay && isIdle(inTheWay)) end(inTheWay, tooSlow());
      else if (inTheWay || others.length >= TURNS_OF_NETWORK) throw stillUploading();
    }
    open.add(upload);
  }

  function isIdle({ reader, lastByteAt }: Counted): boolean {
    return reader !== null && now().getTime() - lastByteAt >= IDLE;
  }

  /** Stops the reading of an upload, which then throws `reason`. */
  function end(upload: Counted, reason: HttpError): void {
    upload.ended = reason;
    // A reading that waits for bytes ends by this; a body that broke off has nothing left to cancel.
    upload.reader?.cancel().catch(() => {});
    close(upload);
  }

  function close(upload: Counted): void {
    if (!open.delete(upload)) return;
    inFlight -= upload.received;
    for (const pieces of upload.kept) pieces.drop();
  }

  function isLate({ openedAt, received }: Counted): boolean {
    return now().getTime() - openedAt > READING_TIME + (received / LEAST_RATE) * 1_000;
  }

  /** Ends uploads that are being read for a while, those first that have most bytes for longest, until `bytes` fit. */
  function makeRoom(bytes: number, asking: Counted): void {
    const at = now().getTime();
    const weight = ({ received, openedAt }: Counted) => received * (at - openedAt);
    const inTheWay = [...open]
      .filter((one) => one !== asking && one.reader !== null && at - one.openedAt >= GIVES_WAY)
      .filter((one) => weight(one) > weight(asking))
      .sort((one, other) => weight(other) - weight(one));
    for (const one of inTheWay) {
      if (inFlight + bytes <= uploadBudget) return;
      end(one, isLate(one) ? tooSlow() : unavailable());
    }
  }

  function count(upload: Counted, bytes: number): void {
    if (inFlight + bytes > uploadBudget) makeRoom(bytes, upload);
    if (inFlight + bytes > uploadBudget) throw unavailable();
    inFlight += bytes;
    upload.received += bytes;
    upload.lastByteAt = now().getTime();
  }

  async function* chunksOf(upload: Counted, request: Request) {
    heldBack.delete(request);
    const reader = (request.body ?? new Blob().stream()).getReader();
    upload.reader = reader;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (isLate(upload)) throw tooSlow();
        if (upload.ended) throw upload.ended;
        if (done) {
          bodyWasRead(request);
          return;
        }
        count(upload, value.byteLength);
        yield value;
        giveBack(value);
      }
    } finally {
      upload.reader = null;
      // What is given up is thrown away as it comes until its connection ends.
      await reader.cancel().catch(() => {});
    }
  }

  return {
    open(request) {
      if (!isLong(request.headers)) return uncounted(request);
      const at = now().getTime();
      const source = rateLimits === 'on' ? sourceOf(request) : null;
      const upload: Counted = {
        ...{ source, openedAt: at, lastByteAt: at, received: 0, kept: [], reader: null, ended: null },
      };
      takeTurn(upload);
      return {
        chunks: () => chunksOf(upload, request),
        keep() {
          const pieces = keepPieces();
          upload.kept.push(pieces);
          return pieces;
        },
        [Symbol.dispose]: () => close(upload),
      };
    },
    holdBack(request) {
      if (!announcesLong(request.headers)) return;
      const bytes = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY);
      const all = [...heldBack.values()].reduce((sum, one) => sum + one, bytes);
      if (heldBack.size >= MOST_HELD_BACK && all > FEW_BYTES) throw unavailable();
      heldBack.set(request, bytes);
    },
    letGo: (request) => void heldBack.delete(request),
    bytesInFlight: () => inFlight,
  };
}

/** A body that may be no longer than any other: uploads must not keep a small form out. */
function uncounted({ body }: Request): Upload {
  async function* chunks() {
    for await (const chunk of body ?? []) yield chunk;
  }
  return { chunks, keep: keepPieces, [Symbol.dispose]() {} };
}

/** Whether a body may be longer than `BODY_LIMIT`: one that does not say its length may. */
function isLong(headers: Headers): boolean {
  const declared = headers.get('content-length');
  return declared === null || Number(declared) > BODY_LIMIT;
}

function sourceOf(request: Request): NonNullable<Counted['source']> {
  const { ip } = contextOf(request);
  const client = addressKey(ip);
  return { client, network: widerNetworks(ip).at(-1) ?? client };
}

function stillUploading(): HttpError {
  return new HttpError('too-many', 'Another upload is still on its way, please try again when it is done', {
    headers: { 'retry-after': RETRY },
  });
}

function tooSlow(): HttpError {
  return new HttpError('too-slow', 'That took too long to arrive, please try again');
}
