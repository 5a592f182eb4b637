import type { Piece } from '#api/providers/assistant/assistant.ts';

const encoder = new TextEncoder();
const FAILED = 'That did not work just now. Please try again in a moment';

/**
 * Pieces as server-sent events: `event: text|jobs|proposal|link` with the piece as `data`, at last `event: done`, or
 * `event: failed` with a message. The next piece is made when the reader has room for it; a reader that leaves ends it.
 */
export function answerStream(
  pieces: AsyncIterable<Piece>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const send = (event: string, data: object) =>
    encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (!done) return controller.enqueue(send(value.kind, value));
        controller.enqueue(send('done', {}));
      } catch (error) {
        onFailure(error);
        controller.enqueue(send('failed', { message: FAILED }));
      }
      controller.close();
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
