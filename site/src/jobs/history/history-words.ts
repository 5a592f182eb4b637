import { actionWords } from '#core/job/history-words.ts';
import { formatDateTime } from '#site/lib/time/moments.ts';
import type { HistoryEntry } from './history-store.ts';

/** An entry in words: who, what they did, and in `to` what it led to. `who` is empty where the words say all. */
export type HistoryWords = Readonly<{ who: string; what: string; to: string }>;

export type HistoryClock = Readonly<{ timeZone: string; now: Date; createdAt: string }>;

const minute = 60_000;

/** What happened, from the old value to the new one. Times are on the clocks of `timeZone` (IANA). */
export function historyWords(entry: HistoryEntry, clock: HistoryClock): HistoryWords {
  if (entry.what === 'undelivered') return { who: '', what: entry.text, to: '' };
  const who = nameOf(entry);
  const [what, to = ''] = actionOf(entry, clock);
  return { who, what: entry.undo ? `undid a change: ${what}` : what, to };
}

type Happened = Exclude<HistoryEntry, Readonly<{ what: 'undelivered' }>>;

/** Customers by their first name, as the rest of the page calls them. */
function nameOf({ who }: Happened): string {
  if (who.kind === 'you') return 'You';
  return who.kind === 'customer' ? (who.name.trim().split(/\s+/)[0] ?? who.name) : who.name;
}

function actionOf(entry: Happened, clock: HistoryClock): readonly [what: string, to?: string] {
  const when = (instant: string) => formatDateTime(instant, clock.timeZone, clock.now);
  const action = actionWords(entry, { besideJob: true, when });
  const isAnswer = entry.what === 'accepted' && entry.from === 'Pending';
  return isAnswer ? [`${action[0]}${waited(entry.at, clock)}`] : action;
}

/** How long the customer waited for the answer, such as `, 15 min after it came in`; nothing within a minute. */
function waited(at: string, { createdAt }: HistoryClock): string {
  const minutes = Math.floor((Date.parse(at) - Date.parse(createdAt)) / minute);
  if (minutes < 1) return '';
  if (minutes < 60) return `, ${minutes} min after it came in`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `, ${hours} h after it came in`;
  const days = Math.floor(hours / 24);
  return `, ${days} ${days === 1 ? 'day' : 'days'} after it came in`;
}
