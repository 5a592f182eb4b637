import type { Earlier, Piece } from '#api/providers/assistant/assistant.ts';
import { chatLimits } from '#core/values/chat.ts';

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
