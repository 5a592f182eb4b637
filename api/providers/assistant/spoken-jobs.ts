import type { Earlier } from './assistant.ts';
import type { SpokenJobs } from './intent.ts';

const THAT =
  /^(?:it|its|that|this|these|those|them|they|their|theirs|him|his|her|hers|the|(?:that|this|the) (?:one|job|customer))(?: (?:one|job|customer))?$/i;
const NTH =
  /^(?:the )?(first|1st|second|2nd|third|3rd|fourth|4th|fifth|5th|last)(?: (?:one|job|customer))?(?:'s)?$/i;
const places = ['first', 'second', 'third', 'fourth', 'fifth'];

/** The jobs of the last answer that showed some. */
export function spokenOf(earlier: readonly Earlier[]): readonly string[] {
  return earlier.findLast(({ jobs }) => jobs.length > 0)?.jobs ?? [];
}

/** What "it", "their" or "the second one" means after these jobs; null for words that name a job themselves. */
export function pointedAt(words: string, spoken: readonly string[]): SpokenJobs | null {
  const asked = words.trim();
  if (THAT.test(asked)) return { ids: spoken };
  const nth = NTH.exec(asked)?.[1]?.toLowerCase();
  if (nth === undefined) return null;
  const place = places.findIndex((name, index) => name === nth || nth.startsWith(`${index + 1}`));
  const id = nth === 'last' ? spoken.at(-1) : spoken[place];
  return { ids: id === undefined ? [] : [id] };
}
