/** More than any answer within our limits of tokens needs. */
const MOST_BYTES = 1024 * 1024;

/** Asks a model's endpoint: follows no redirect, and reads one MiB of its answer at most. */
export const carefulFetch: typeof fetch = Object.assign(
  async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    if (!response.body) return response;
    let size = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > MOST_BYTES) controller.error(new RangeError('The answer is too long'));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  },
  { preconnect: fetch.preconnect },
);
