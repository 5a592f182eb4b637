import { singleLine } from '#core/values/text.ts';

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
