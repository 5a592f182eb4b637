import type { TextStreamPart, ToolSet } from 'ai';
import type { Piece } from '#api/providers/assistant/assistant.ts';
import { say } from '#api/providers/assistant/help-answers.ts';
import { failure, failureOf, isEndless } from './failures.ts';
import { createSentences } from './sentences.ts';

type Workings = Readonly<{
  /** What tools have put before the tradie; emptied as it is passed on. */
  shown: Piece[];
  /** What stopped tools from their work. */
  faults: readonly unknown[];
  /** How much may be answered. */
  characters: number;
}>;

/** What an answer that stopped by itself says at its end, by why it stopped; any other end is a breaking off. */
const endings: Readonly<Record<string, string | null>> = {
  stop: null,
  length: 'That is as much as I can say at once.',
  'tool-calls': 'I looked in several places and did not get to the end. Ask me for less at once.',
  'content-filter': 'I cannot answer that one.',
};

/**
 * A model's answer as it comes, in whole sentences. Throws `AssistantError` once it goes wrong, after what was answered by then;
 * throws what a tool threw.
 */
export async function* answerPieces(
  parts: AsyncIterable<TextStreamPart<ToolSet>>,
  { shown, faults, characters }: Workings,
): AsyncGenerator<Piece> {
  const sentences = createSentences();
  let left = characters;
  let ending: string | undefined;
  let isEmpty = true;
  for await (const part of parts) {
    const pieces: Piece[] = [];
    if (part.type === 'text-delta') {
      pieces.push(...sentences.add(part.text.slice(0, left)).map(say));
      left -= part.text.length;
    } else pieces.push(...sentences.rest().map(say), ...shown.splice(0));
    isEmpty &&= pieces.length === 0;
    yield* pieces;
    if (faults.length > 0) throw faults[0];
    if (part.type === 'abort') throw failure('late');
    if (part.type === 'error' && !isEndless(part.error)) throw failureOf(part.error, !isEmpty);
    if (part.type === 'error') ending = 'tool-calls';
    if (part.type === 'finish') ending ??= part.finishReason;
    if (left < 0) ending = 'length';
    if (left < 0) break;
  }
  yield* sentences.rest().map(say);
  const closing = endings[ending ?? ''];
  if (closing === undefined) throw failure('cut');
  if (closing !== null) yield say(closing);
  else if (isEmpty) yield say('I have no answer to that.');
}
