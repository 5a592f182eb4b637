import type { TextStreamPart, ToolSet } from 'ai';
import { AssistantError, type Piece } from '#api/assistant/assistant.ts';
import { say } from '#api/assistant/embedded/answer-wording.ts';
import { singleLine } from '#core/values/text.ts';

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

const messages = {
  busy: 'I am asked a lot just now. Please try again in a minute.',
  late: 'That took too long. Please try again, or ask for less at once.',
  refused: 'I cannot answer just now. Your jobs are all in your lists.',
  unavailable: 'I cannot answer just now. Your jobs are all in your lists.',
  malformed: 'My answer came out wrong. Please ask again.',
  cut: 'My answer broke off there. Please ask again.',
} as const;

/** What the tradie reads of it, and the log. */
function failure(reason: keyof typeof messages, status?: number): AssistantError {
  return new AssistantError(reason, messages[reason], status);
}

/**
 * Tells by what the SDK threw why there is no answer, or no more of it where it had `begun`. Its texts repeat what was sent:
 * nothing of them is stored.
 */
function failureOf(error: unknown, begun: boolean): AssistantError {
  const name = error instanceof Error ? error.name : '';
  const status = statusOf(error);
  if (status !== undefined) return failure(reasonOf(status), status);
  if (name === 'TimeoutError') return failure('late');
  if (name === 'AI_APICallError') return failure('unavailable');
  if (name === 'AI_InvalidResponseDataError') return failure(begun ? 'cut' : 'malformed');
  if (name.startsWith('AI_') || error instanceof RangeError) return failure('malformed');
  return failure(begun ? 'cut' : 'unavailable');
}

/** Whether a model went on with tools when it was asked for its answer. */
function isEndless(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_ToolChoiceViolationError';
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error && 'statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

function reasonOf(status: number): keyof typeof messages {
  if (status === 429) return 'busy';
  if (status === 408 || status === 504) return 'late';
  if (status >= 400 && status < 500) return 'refused';
  return status >= 500 ? 'unavailable' : 'malformed';
}

/** A sentence is over where the next one has begun, or its line is. */
const SENTENCE = /^[\s\S]*?(?:[.!?…]["”’')\]]*(?=\s+[\p{Lu}\d“‘"'(•*-])|\n)/u;
/** What has no end by then is cut between two words. */
const LONGEST = 400;

/** Sentences of a text that arrives in bits, as plain text: each is shown, and read out, once it is whole. */
type Sentences = Readonly<{
  /** Those that are whole now. */
  add(text: string): string[];
  /** What is left. */
  rest(): string[];
}>;

export function createSentences(): Sentences {
  let open = '';
  const take = (length: number) => {
    const sentence = plainText(open.slice(0, length));
    open = open.slice(length);
    return sentence === '' ? [] : [sentence];
  };
  return {
    add(text) {
      open += text;
      const whole: string[] = [];
      for (let end = endOf(open); end > 0; end = endOf(open)) whole.push(...take(end));
      return whole;
    },
    rest: () => take(open.length),
  };
}

function endOf(text: string): number {
  const end = SENTENCE.exec(text.slice(0, LONGEST))?.[0].length ?? 0;
  if (end > 0 || text.length <= LONGEST) return end;
  const space = text.lastIndexOf(' ', LONGEST);
  return space > 0 ? space : LONGEST;
}

/** Signs that show nothing and turn the direction of what is read. */
const UNSEEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const TAG = /<\/?[a-z][^<>]*>/gi;
const PICTURE = /!\[[^[\]]*\](?:\([^()]*\)?|\[[^[\]]*\])/g;
const LINK = /\[([^[\]]*)\](?:\([^()]*\)?|\[[^[\]]*\])/g;
const JOB_ID = /\s?\(?\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b\)?/gi;
const ADDRESS =
  /(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.|(?<![\w:/])\/\/(?=\w)|\b(?:javascript|vbscript|data|mailto|tel|sms):(?=\S))[^\s,)]*/gi;

/**
 * A line that a model wrote as text: no picture, no address and no markup in it. Of a link its words stay, of an address the
 * note that there was one.
 */
export function plainText(line: string): string {
  const bare = line
    .replace(UNSEEN, '')
    .replace(TAG, ' ')
    .replace(PICTURE, '')
    .replace(LINK, '$1')
    .replace(JOB_ID, '')
    .replace(/^\s*(?:#{1,6}|>)\s+/, '')
    .replace(/^\s*[-*+]\s+/, '• ')
    .replace(/\*\*|__|`+/g, '');
  // Last, so that nothing taken away leaves an address behind.
  return singleLine(bare.replace(ADDRESS, '(link left out)').replaceAll('](', '] ('));
}
