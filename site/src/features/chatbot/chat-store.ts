import { atom } from 'nanostores';
import type { Earlier, Piece } from '#api/assistant/assistant.ts';
import { chatLimits } from '#core/values/product.ts';
import { ApiError, type BodyOf, request, unknownFailure } from '#site/lib/http/api.ts';
import { readEvents } from '#site/lib/live.ts';

const offline = 'You’re offline. I can answer once you’re back.';

type Message = BodyOf<'POST', '/chatbot/messages'>;

/** The assistant's own token, held in memory for as long as the page is open. */
let token: string | null = null;

/**
 * Asks the assistant; gives the pieces of its answer as they come. Asks for a new token where the old one has had its
 * day. Throws ApiError when there is no whole answer; stops quietly when `signal` aborts.
 */
async function* askKel(message: Message, signal: AbortSignal): AsyncGenerator<Piece> {
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
  token ??= (await request('GET', '/authenticate/chatbot', { signal })).token;
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

/** A question and what has come of its answer. `failure` is why the rest of it does not come. */
export type Turn = Readonly<{
  id: number;
  question: string;
  pieces: readonly Piece[];
  state: 'answering' | 'done' | 'stopped' | 'failed';
  failure?: string;
}>;

const turns = atom<readonly Turn[]>([]);
/** The conversation of this page, oldest first; it is stored nowhere. */
export const $turns = turns;

/** How long a whole answer may take, in milliseconds: a little more than the server gives itself. */
const timeout = 60_000;
const stopped = 'stopped';
const late = new ApiError('That took too long. Please try again.', 0);

let asking: AbortController | null = null;

/** Asks, unless an answer is still coming. */
export async function ask(question: string): Promise<void> {
  if (asking || question.trim() === '') return;
  const mine = new AbortController();
  asking = mine;
  const id = (turns.get().at(-1)?.id ?? 0) + 1;
  const earlier = earlierTurns(turns.get());
  turns.set([...turns.get(), { id, question: question.trim(), pieces: [], state: 'answering' }]);
  const overdue = setTimeout(() => mine.abort(late), timeout);
  try {
    for await (const piece of askKel({ message: question.trim(), earlier }, mine.signal)) {
      if (mine.signal.aborted) break;
      change(id, (turn) => ({ ...turn, pieces: [...turn.pieces, piece] }));
    }
    mine.signal.throwIfAborted();
    change(id, (turn) => ({ ...turn, state: 'done' }));
  } catch (cause) {
    const error = mine.signal.aborted ? mine.signal.reason : cause;
    const failure = error instanceof ApiError ? error.message : unknownFailure;
    change(id, (turn) =>
      error === stopped ? { ...turn, state: 'stopped' } : { ...turn, state: 'failed', failure },
    );
  } finally {
    clearTimeout(overdue);
    asking = null;
  }
}

/** Asks once more what had no whole answer; what came of that goes. */
export function askAgain({ id, question }: Turn): void {
  if (asking) return;
  turns.set(turns.get().filter((turn) => turn.id !== id));
  void ask(question);
}

/** Ends the answer that is coming; what has come of it stays. */
export function stop(): void {
  asking?.abort(stopped);
}

function change(id: number, next: (turn: Turn) => Turn): void {
  turns.set(turns.get().map((turn) => (turn.id === id ? next(turn) : turn)));
}

/** What goes along with the next message, so that "it" and "what about Friday?" are understood. Oldest first. */
export function earlierTurns(
  turns: readonly Readonly<{ question: string; pieces: readonly Piece[] }>[],
): Earlier[] {
  return turns
    .filter(({ pieces }) => pieces.length > 0)
    .slice(-chatLimits.earlier)
    .map(({ question, pieces }) => {
      const texts = pieces.flatMap((piece) => (piece.kind === 'text' ? piece.text : [])).join(' ');
      return {
        question,
        // A cut may leave half of a character, which no request may hold.
        answer: texts.slice(0, chatLimits.answer).toWellFormed(),
        jobs: [...new Set(pieces.flatMap(jobsOf))].slice(0, chatLimits.jobs),
      };
    });
}

function jobsOf(piece: Piece): string[] {
  if (piece.kind === 'jobs') return piece.jobs.map(({ id }) => id);
  return piece.kind === 'proposal' ? [piece.proposal.jobId] : [];
}
