import { singleLine } from '#core/values/text.ts';

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
