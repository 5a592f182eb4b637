import type { JobCardView } from '#core/job/view.ts';
import type { JobTools } from './assistant.ts';
import type { JobRef } from './intent.ts';

const MOST = 100;

/**
 * Jobs that were spoken of, as they are now; or those that words fit, newest first: the words as they stand, else every
 * one of them somewhere on the card. Searches what the lists search, so a withheld contact finds nothing.
 */
export async function findJobs(job: JobRef, tools: JobTools): Promise<readonly JobCardView[]> {
  if ('ids' in job) {
    const known = await Promise.all(job.ids.map((id) => tools.job(id)));
    return known.filter((card) => card !== null);
  }
  const { words, place } = job;
  const wanted = words.slice(0, 100).trim();
  if (wanted.length < 3) return [];
  const exact = await tools.list({ search: wanted, limit: MOST });
  const found = exact.length > 0 ? exact : await findEachWord(wanted, tools);
  return place === null ? found : found.filter((card) => cardText(card).includes(fold(place)));
}

async function findEachWord(wanted: string, tools: JobTools): Promise<readonly JobCardView[]> {
  const parts = wanted.split(/\s+/).filter((part) => part.length >= 3);
  const [longest] = parts.toSorted((a, b) => b.length - a.length);
  if (parts.length < 2 || !longest) return [];
  const some = await tools.list({ search: longest, limit: MOST });
  return some.filter((card) => parts.every((part) => cardText(card).includes(fold(part))));
}

function cardText({ title, name, location }: JobCardView): string {
  return fold([title, name, location.address].join('\n'));
}

function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
