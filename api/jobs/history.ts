import { isConfirmed } from '#api/accounts/email-confirmation.ts';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { isCorrection } from '#core/job/customer/words.ts';
import { type CausedEvent, entryWords, historyEntries, type JobHistoryEntry } from '#core/job/history.ts';
import type { JobDetails } from '#core/job/view.ts';
import { shownText } from '#core/job/withheld-fields.ts';
import { product } from '#core/values/product.ts';
import { getProfile } from '#projections/accounts/read.ts';
import { type LoadedJob, loadJob } from './load-job.ts';
import { viewer } from './viewer.ts';

/** `you` is the signed-in tradie, `ute` the product itself, `seed` invented data. */
export type Who = Readonly<{ kind: 'you' | 'tradie' | 'customer' | 'ute' | 'seed'; name: string }>;

/** Kind by kind: each has values of its own. */
type WithoutActor<Entry> = Entry extends unknown ? Omit<Entry, 'actor'> : never;
export type HistoryEntry = WithoutActor<JobHistoryEntry> & Readonly<{ who: Who; text: string }>;

/** How much of a history is answered at once: so many entries, and fewer where their notes have more characters. */
export const historyPage = { entries: 50, characters: 100_000 } as const;

type Entry = HistoryEntry | UndeliveredEntry;

/** A message about a job that did not arrive, or not yet. `label` names it in a sentence; once `lapsesAt` has come, a held one is of no use. */
export type UndeliveredMessage = Readonly<{
  id: string;
  label: string;
  deliveryStatus: 'held' | 'lapsed' | 'dead';
  settledAt: Date;
  lapsesAt: Date;
}>;

/** The messages about a job that could not be delivered, or not yet, newest first. */
export type UndeliveredMessages = (jobId: string) => Promise<readonly UndeliveredMessage[]>;

/** `next`: what to ask for as `before` to get the entries before these; null when there are none. */
export type HistoryPage = Readonly<{ history: readonly Entry[]; next: number | null }>;

/** What a history is read with. The messages of a job are read by their own room, which knows jobs. */
export type HistoryDeps = Pick<Deps, 'config' | 'db' | 'store' | 'now' | 'whereabouts'> &
  Readonly<{ undelivered: UndeliveredMessages }>;

/**
 * What happened to a job, from its own stream, and what could not be delivered about it, newest first: the page before the
 * revision `before`, or the newest. `text` is a sentence with times in the business's zone.
 */
export async function jobHistory(
  deps: HistoryDeps,
  session: Session,
  { jobId, before }: Readonly<{ jobId: string; before: number | null }>,
): Promise<HistoryPage> {
  const job = await loadJob(deps, session.businessId, jobId);
  const { timeZone } = await viewer(deps, session);
  const history = await historyOf(deps, job, { timeZone, you: session.accountId });
  const undelivered = await undeliveredEntries(deps, { businessId: session.businessId, jobId });
  return pageOf(among(history, undelivered), before);
}

/** Entries of one revision stay together, and what could not be delivered goes with the revision above it. */
function pageOf(all: readonly Entry[], before: number | null): HistoryPage {
  const isFrom = ({ revision }: Entry) => before === null || (revision !== null && revision < before);
  const start = before === null ? 0 : all.findIndex(isFrom);
  if (start < 0) return { history: [], next: null };
  let [end, size] = [start, 0];
  const isRoom = () => end - start < historyPage.entries && size < historyPage.characters;
  while (end < all.length && (isRoom() || lastOf(all, end) === null)) {
    size += charactersOf(all[end]);
    end += 1;
  }
  while (end < all.length && (all[end]?.revision === null || all[end]?.revision === lastOf(all, end)))
    end += 1;
  return { history: all.slice(start, end), next: end < all.length ? lastOf(all, end) : null };
}

/** The revision of the last entry before an index that has one. */
function lastOf(all: readonly Entry[], end: number): number | null {
  return all.slice(0, end).findLast(({ revision }) => revision !== null)?.revision ?? null;
}

function charactersOf(entry: Entry | undefined): number {
  return (entry?.from?.length ?? 0) + (entry?.to?.length ?? 0);
}

/** The events keep their own order, whatever a clock showed meanwhile; a failure stands above what was there before it. */
function among(history: readonly HistoryEntry[], undelivered: readonly UndeliveredEntry[]): Entry[] {
  const entries: Entry[] = [...history];
  for (const failure of undelivered) {
    const before = entries.findIndex(({ at }) => Date.parse(at) <= Date.parse(failure.at));
    entries.splice(before < 0 ? entries.length : before, 0, failure);
  }
  return entries;
}

/** The history of a job's events in words; `you` is the reader's account, for whom invented data has authors. */
export async function historyOf(
  deps: Pick<Deps, 'db'>,
  { details, events }: LoadedJob,
  { timeZone, you }: Readonly<{ timeZone: string; you?: string }>,
): Promise<HistoryEntry[]> {
  const entries = historyEntries(causedEvents({ details, events })).map((entry) =>
    isCorrection(entry) ? { ...entry, to: shownText(details, entry.to) } : entry,
  );
  const people = await peopleOf(deps, entries, details, you);
  return entries.map(({ actor, ...entry }) => {
    const who = (you && actor === 'seed' ? invented(entry.what, people) : people.get(actor)) ?? ute;
    const text = entryWords({ actor, ...entry }, who.kind === 'you' ? 'You' : who.name, timeZone);
    return { ...entry, who, text } as HistoryEntry;
  });
}

/** Who would have done what the demo's data says: the customer, the product, and for the rest the reader. */
function invented(what: JobHistoryEntry['what'], people: ReadonlyMap<string, Who>): Who | undefined {
  if (what === 'ordered') return ute;
  return people.get(what === 'requested' || what === 'not-needed' ? 'customer' : 'reader');
}

const ute: Who = { kind: 'ute', name: product.name };

/** The events with their causes; one that names another business is none of the job's. */
function causedEvents({ details, events }: LoadedJob): CausedEvent[] {
  return events
    .filter(({ event }) => event === undefined || event.data.businessId === details.businessId)
    .map(({ event, revision, metadata }) => ({ event, revision, at: metadata.at, actor: metadata.actor }));
}

/** Who is behind the actors of a entries. */
async function peopleOf(
  { db }: Pick<Deps, 'db'>,
  entries: readonly Pick<JobHistoryEntry, 'actor'>[],
  details: Pick<JobDetails, 'name' | 'status' | 'erasureDueAt' | 'erasedAt'>,
  you?: string,
): Promise<ReadonlyMap<string, Who>> {
  const name = details.erasedAt === null ? shownText(details, details.name) : 'Customer';
  const people = new Map<string, Who>([
    ['customer', { kind: 'customer', name }],
    ['seed', { kind: 'seed', name: 'Sample data' }],
  ]);
  if (you) people.set('reader', { kind: 'you', name: await firstNameOf(db, you) });
  const actors = new Set(entries.map(({ actor }) => actor).filter((actor) => actor.startsWith('account:')));
  for (const actor of actors) {
    const accountId = actor.slice('account:'.length);
    people.set(actor, { kind: accountId === you ? 'you' : 'tradie', name: await firstNameOf(db, accountId) });
  }
  return people;
}

async function firstNameOf(db: Deps['db'], accountId: string): Promise<string> {
  return (await getProfile(db, accountId))?.user.firstName ?? 'A tradie';
}

/** A message about a job that did not arrive. It is no event, so it has no revision; `id` is the message's. */
type UndeliveredEntry = Readonly<{
  what: 'undelivered';
  id: string;
  revision: null;
  at: string;
  from: null;
  to: null;
  undo: false;
  who: Who;
  text: string;
}>;

/** What could not be delivered about a job of a business, or not yet, newest first, in words for the tradie. */
async function undeliveredEntries(
  deps: HistoryDeps,
  { businessId, jobId }: Readonly<{ businessId: string; jobId: string }>,
): Promise<UndeliveredEntry[]> {
  const undelivered = await deps.undelivered(jobId);
  const isHeld = undelivered.some(({ deliveryStatus }) => deliveryStatus === 'held');
  const reader = { isConfirmed: isHeld && (await isConfirmed(deps, businessId)), now: deps.now() };
  return undelivered.map((message) => {
    const { id, label, settledAt } = message;
    return {
      ...{ what: 'undelivered', id, revision: null, at: settledAt.toISOString(), from: null, to: null },
      ...{
        undo: false,
        who: ute,
        text: `${label} ${becameOf(message, reader)}`,
      },
    };
  });
}

type Reader = Readonly<{ isConfirmed: boolean; now: Date }>;

/** True at every moment: also between the end of a message's time, or a confirmation, and what follows from it. */
function becameOf({ deliveryStatus, lapsesAt }: UndeliveredMessage, { isConfirmed, now }: Reader): string {
  if (deliveryStatus === 'dead') return 'could not be delivered';
  if (deliveryStatus === 'lapsed' || now >= lapsesAt) {
    return 'was not sent: it waited a day for your email address to be confirmed';
  }
  return isConfirmed
    ? 'goes out in a moment, now that your email address is confirmed'
    : 'waits: confirm your email address, in your profile under Security, and it goes out';
}
