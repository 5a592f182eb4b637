import { plainText } from './plain-text.ts';

/** A sentence is over where the next one has begun, or its line is. */
const SENTENCE = /^[\s\S]*?(?:[.!?…]["”’')\]]*(?=\s+[\p{Lu}\d“‘"'(•*-])|\n)/u;
/** What has no end by then is cut between two words. */
const LONGEST = 400;

/** Sentences of a text that arrives in bits, as plain text: each is shown, and read out, once it is whole. */
export type Sentences = Readonly<{
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
