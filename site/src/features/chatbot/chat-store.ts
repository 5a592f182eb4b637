import { atom } from 'nanostores';
import type { Piece } from '#api/providers/assistant/assistant.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { askKel } from './chat-api.ts';
import { earlierTurns } from './earlier-turns.ts';

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
