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
