import { atom } from 'nanostores';
import type { Piece } from '#api/providers/assistant/assistant.ts';
import { ApiError, unknownFailure } from '#site/lib/api.ts';
import { askKel } from './chat-api.ts';

/** A question and what has come of its answer. `failure` is why the rest of it does not come. */
export type Turn = Readonly<{
  id: number;
  question: string;
  pieces: readonly Piece[];
  state: 'answering' | 'done' | 'stopped' | 'failed';
  failure?: string;
}>;

const turns = atom<readonly Turn[]>([]);
/** The conversation of this page, oldest first; it is kept nowhere. */
export const $turns = turns;

let asking: AbortController | null = null;

/** Asks, unless an answer is still coming. */
export async function ask(question: string): Promise<void> {
  if (asking || question.trim() === '') return;
  const mine = new AbortController();
  asking = mine;
  const id = turns.get().length;
  turns.set([...turns.get(), { id, question: question.trim(), pieces: [], state: 'answering' }]);
  try {
    for await (const piece of askKel(question.trim(), mine.signal)) {
      if (mine.signal.aborted) break;
      change(id, (turn) => ({ ...turn, pieces: [...turn.pieces, piece] }));
    }
    change(id, (turn) => ({ ...turn, state: mine.signal.aborted ? 'stopped' : 'done' }));
  } catch (error) {
    const failure = error instanceof ApiError ? error.message : unknownFailure;
    change(id, (turn) =>
      mine.signal.aborted ? { ...turn, state: 'stopped' } : { ...turn, state: 'failed', failure },
    );
  } finally {
    asking = null;
  }
}

/** Ends the answer that is coming; what has come of it stays. */
export function stop(): void {
  asking?.abort();
}

function change(id: number, next: (turn: Turn) => Turn): void {
  turns.set(turns.get().map((turn) => (turn.id === id ? next(turn) : turn)));
}
