export type LiveReader = Readonly<{
  /** Everything received so far. */
  text(): string;
  /** Resolves once the text has what was asked; rejects when the stream ends or `timeoutMs` is over. */
  until(wanted: string | RegExp, timeoutMs?: number): Promise<string>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  cancel(): Promise<void>;
}>;

/** Reads a server-sent stream as text. */
export function readLive(response: Response): LiveReader {
  if (!response.body) throw new Error('no stream');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const waiting = new Set<() => void>();
  let text = '';
  let over = false;
  const tell = () => {
    for (const check of waiting) check();
  };
  const ended = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += next.value;
      tell();
    }
  })().finally(() => {
    over = true;
    tell();
  });

  function until(wanted: string | RegExp, timeoutMs = 30_000): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = () => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text));
    const check = () => {
      if (done()) resolve(text);
      else if (over) reject(new Error(`the stream ended with: ${text}`));
    };
    const timer = setTimeout(() => reject(new Error(`not within ${timeoutMs} ms: ${text}`)), timeoutMs);
    waiting.add(check);
    check();
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(check);
    });
  }

  return { text: () => text, until, ended, cancel: () => reader.cancel() };
}

/** A body that is made as it is asked for, and counts what was. */
export type PulledBody = Readonly<{
  body: ReadableStream<Uint8Array>;
  /** Bytes that were read until now. */
  pulled(): number;
  /** Resolves once `bytes` of it were asked for. */
  reached(bytes: number): Promise<void>;
  /** Lets a body that waits go on to its end. */
  finish(): void;
}>;

const PIECE = 65_536;

/**
 * `start`, then a filling of `size` bytes, then `end`. With `waits`, all but the last piece of the filling comes at once, and the
 * rest only after `finish`.
 */
export function pulledBody({
  start = '',
  size,
  end = '',
  waits = false,
}: Readonly<{ start?: string; size: number; end?: string; waits?: boolean }>): PulledBody {
  let pulled = 0;
  const waiting: { bytes: number; resolve: () => void }[] = [];
  const open = Promise.withResolvers<void>();
  const pieces = piecesOf(start, size, end);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = pieces.next();
        if (done) {
          controller.close();
          return;
        }
        if (waits && value.isLast) await open.promise;
        pulled += value.bytes.length;
        controller.enqueue(value.bytes);
        for (const { bytes, resolve } of waiting) if (pulled >= bytes) resolve();
      },
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  );
  return {
    body,
    pulled: () => pulled,
    reached: (bytes) =>
      new Promise((resolve) => {
        if (pulled >= bytes) resolve();
        else waiting.push({ bytes, resolve });
      }),
    finish: () => open.resolve(),
  };
}

function* piecesOf(start: string, size: number, end: string) {
  const bytes = (text: string) => new TextEncoder().encode(text);
  if (start !== '') yield { bytes: bytes(start), isLast: false };
  for (let sent = 0; sent < size; sent += PIECE) {
    const isLast = sent + PIECE >= size;
    yield { bytes: new Uint8Array(Math.min(PIECE, size - sent)).fill(0x61), isLast };
  }
  if (end !== '') yield { bytes: bytes(end), isLast: false };
}
