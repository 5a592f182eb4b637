import { AssistantError, type Piece } from './assistant.ts';

const encoder = new TextEncoder();
const FAILED = 'That did not work just now. Please try again in a moment';

/**
 * Pieces as server-sent events: `event: text|jobs|proposal|link` with the piece as `data`, at last `event: done`, or
 * `event: failed` with a message. The next piece is made when the reader has room for it. A reader that leaves, or whose
 * request aborts (`gone`), aborts the answer's signal, whatever that is waiting for.
 */
export function answerStream(
  answer: (signal: AbortSignal) => AsyncIterable<Piece>,
  { gone, onFailure }: Readonly<{ gone: AbortSignal; onFailure: (error: unknown) => void }>,
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, gone]);
  const iterator = answer(signal)[Symbol.asyncIterator]();
  const send = (event: string, data: object) =>
    encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  /** What is sent next, and whether it is the last. */
  const next = async (): Promise<{ bytes: Uint8Array; isLast: boolean }> => {
    try {
      const { done, value } = await iterator.next();
      return done
        ? { bytes: send('done', {}), isLast: true }
        : { bytes: send(value.kind, value), isLast: false };
    } catch (error) {
      if (!signal.aborted) onFailure(error);
      return { bytes: send('failed', { message: messageOf(error) }), isLast: true };
    }
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { bytes, isLast } = await next();
      if (left.signal.aborted) return;
      controller.enqueue(bytes);
      if (isLast) controller.close();
    },
    async cancel() {
      left.abort();
      await iterator.return?.();
    },
  });
}

function messageOf(error: unknown): string {
  return error instanceof AssistantError ? error.message : FAILED;
}
