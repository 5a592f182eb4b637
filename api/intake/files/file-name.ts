import { singleLine } from '#core/values/text.ts';
import type { FileType } from './sniff.ts';

const LONGEST = 80;
const extensions: Readonly<Record<FileType, readonly [string, ...string[]]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
};

/**
 * A file's name as its sender gave it, made fit to save under: no folders, no signs that a system reads as more than a
 * letter, one line, not hidden, and an ending that says what the file is.
 */
export function fileNameFor(given: string, type: FileType): string {
  const [ending, ...others] = extensions[type];
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const readable = singleLine(last.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}<>:"|?*]/gu, ' ')).replace(/^[. ]+/, '');
  const [, stem = '', had = ''] = /^(.*?)(?:\.([A-Za-z0-9]{1,5}))?$/.exec(readable) ?? [];
  const isRight = [ending, ...others].includes(had.toLowerCase());
  const base = [...(isRight ? stem : readable)].slice(0, LONGEST).join('').trim();
  return `${base || 'file'}.${isRight ? had.toLowerCase() : ending}`;
}
