import { messageLabels } from '#core/job/customer-messages.ts';
import { photoStageWords } from '#core/job/photo-stages.ts';
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
  switch (entry.what) {
    case 'requested':
      return ['sent this from your job form'];
    case 'ordered':
      return ['sent this work order'];
    case 'added':
      return ['added this job'];
    case 'opened':
      return ['opened it'];
    case 'contact-seen':
      return ['saw the contact details while it was accepted'];
    case 'not-needed':
      return ['said that this job is no longer needed'];
    case 'accepted':
      return [entry.from === 'Pending' ? `accepted it${waited(entry.at, clock)}` : 'accepted it'];
    case 'rejected':
      return ['rejected it'];
    case 'status':
      return [`changed ${entry.from} to`, entry.to];
    case 'schedule':
      if (entry.to === null) return [`took it off the schedule, it was ${entry.from && when(entry.from)}`];
      return [entry.from === null ? 'set it for' : `moved it from ${when(entry.from)} to`, when(entry.to)];
    case 'notes':
      return [
        entry.to === '' ? 'cleared the notes' : entry.from === '' ? 'wrote notes' : 'changed the notes',
      ];
    case 'message':
      return ['opened a message:', messageLabels[entry.to]];
    case 'correction-asked':
      return ['asked for a correction:', entry.to];
    case 'correction-agreed':
      return ['agreed to the correction:', entry.to];
    case 'correction-refused':
      return ['did not agree to the correction, which stays as their statement:', entry.to];
    case 'details-corrected':
      return ['corrected the customer’s details'];
    case 'dispute-opened':
      return ['noted a dispute: nothing is removed'];
    case 'dispute-closed':
      return ['closed the dispute'];
    case 'removal-asked':
      return ['asked to remove their details'];
    case 'removal-refused':
      return ['answered that the details stay'];
    case 'erasure-planned':
      return ['began to remove the customer’s details'];
    case 'erasure-cancelled':
      return ['kept the customer’s details after all'];
    case 'erased':
      return ['removed the customer’s details'];
    case 'photo-added':
      return [`added ${photoStageWords[entry.to]}`];
    case 'photo-described':
      return ['changed what a photo shows'];
    case 'photo-removed':
      return ['removed a photo'];
    case 'record':
      return ['made a record of the job'];
    case 'unreadable':
      return ['did something that cannot be read'];
    default:
      return entry satisfies never;
  }
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
