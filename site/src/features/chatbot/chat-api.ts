import type { Earlier, Piece } from '#api/providers/assistant/assistant.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { readEvents } from '#site/lib/live/event-stream.ts';

const offline = 'You’re offline. I can answer once you’re back.';

type Message = Readonly<{ message: string; earlier: readonly Earlier[] }>;

/** The assistant's own token, held in memory for as long as the page is open. */
let token: string | null = null;

/**
 * Asks the assistant; gives the pieces of its answer as they come. Asks for a new token where the old one has had its
 * day. Throws ApiError when there is no whole answer; stops quietly when `signal` aborts.
 */
export async function* askKel(message: Message, signal: AbortSignal): AsyncGenerator<Piece> {
  try {
    let answer = await post(message, signal);
    if (answer.status === 401) {
      token = null;
      answer = await post(message, signal);
    }
    if (!answer.ok || !answer.body) throw await failureOf(answer);
    for await (const { event, data } of readEvents(answer.body)) {
      if (event === 'done') return;
      if (event === 'failed') throw new ApiError(messageOf(JSON.parse(data)), 503);
      yield JSON.parse(data);
    }
  } catch (cause) {
    if (signal.aborted || (cause instanceof ApiError && cause.status !== 0)) throw cause;
  }
  if (!signal.aborted) throw new ApiError(navigator.onLine ? unknownFailure : offline, 0);
}

async function post(message: Message, signal: AbortSignal): Promise<Response> {
  token ??= (await request<{ token: string }>('GET', '/authenticate/chatbot', { signal })).token;
  return fetch('/api/chatbot/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(message),
    cache: 'no-store',
    signal,
  });
}

async function failureOf(answer: Response): Promise<ApiError> {
  return new ApiError(messageOf(await answer.json().catch(() => null)), answer.status);
}

function messageOf(payload: { message?: unknown } | null): string {
  return typeof payload?.message === 'string' && payload.message ? payload.message : unknownFailure;
}
