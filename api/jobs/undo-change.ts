import type { Deps } from '#api/deps.ts';
import { type Limiter, sharedLimiter } from '#api/http/limits.ts';
import type { Session } from '#api/http/request-context.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { jobDecider } from '#core/job/job.ts';
import { hidesAgain } from '#core/job/status/statuses.ts';
import { changedSinceMessage, nothingToUndoMessage, type UndoJobChange } from '#core/job/undo/undo.ts';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { undoWithin } from '#core/values/time.ts';
import { type ChangedJob, carryOut } from './change-job.ts';
import { foldReadable, loadJob } from './load-job.ts';

type UndoRange = Pick<UndoJobChange['data'], 'first' | 'last' | 'only'>;

export type UndoOfChange = Readonly<{
  session: Pick<Session, 'accountId' | 'businessId'>;
  jobId: string;
  /** Of the job, as the change was answered. */
  revision: number;
  /** Of the job, as the first of several savings of its notes was answered: all of them since go at once. */
  since?: number | undefined;
  correlation: string;
}>;

/** How often a day an account may take an acceptance back: each time it has seen a customer's contact and left the job waiting. */
const ACCEPTANCES = { name: 'acceptance-undone', points: 5, seconds: 86_400 };
const tooManyMessage =
  'You have undone five accepted jobs today. Keep this job, or set its status to Unsuccessful.';

type UndoDeps = Pick<Deps, 'store' | 'readSide' | 'now' | 'newId'>;

/** `undoChange`, counting for each account how many acceptances it takes back. */
export function changeUndoer(
  deps: UndoDeps & Pick<Deps, 'config' | 'db'>,
): (undo: UndoOfChange) => Promise<ChangedJob> {
  const limiter = sharedLimiter(deps, ACCEPTANCES, tooManyMessage);
  return (undo) => undoChange(deps, undo, limiter);
}

/**
 * Takes back the change after which the job had this revision, with all that the same command did, or the notes as they
 * were saved since another revision. Throws ConflictError when another person made it, when it is older than a minute, or when it is
 * not the last change of its part any more; 429 when it would take back the account's sixth acceptance of a day.
 */
async function undoChange(deps: UndoDeps, undo: UndoOfChange, acceptances: Limiter): Promise<ChangedJob> {
  const { session, jobId, revision, since, correlation } = undo;
  const { businessId, accountId } = session;
  const { events, details } = await loadJob(deps, businessId, jobId);
  const actor = `account:${accountId}`;
  const range: UndoRange =
    since === undefined
      ? rangeOf(events, revision, actor, deps.now())
      : notesRange(events, since, rangeOf(events, revision, actor, deps.now()).last, actor);
  const before = foldReadable(events.filter((event) => event.revision < range.first));
  const isAcceptance = range.only === undefined && before !== null && hidesAgain(details, before);
  const command: UndoJobChange = {
    type: 'UndoJobChange',
    at: deps.now().toISOString(),
    data: { jobId, businessId, ...range },
  };
  if (isAcceptance) {
    // Decided before it is counted: an undo that is refused, or a repeat of one, uses nothing up.
    const known = events.flatMap(({ event }) => (event ? [event] : []));
    if (jobDecider.decide(command, fold(jobDecider, known)).length > 0) await acceptances.consume(accountId);
  }
  const cause = { commandId: deps.newId(), actor, correlation };
  return carryOut(deps, jobDecider, jobId, command, cause);
}

/** The first and last revision of the command that led to one, if that actor may still take it back. */
function rangeOf(events: readonly RecordedEvent[], revision: number, actor: string, now: Date) {
  const changed = events.find((event) => event.revision === revision)?.metadata;
  if (!changed) throw new ConflictError(nothingToUndoMessage);
  if (changed.actor !== actor) throw new ConflictError('Only who made a change can undo it');
  if (now.getTime() - Date.parse(changed.at) > undoWithin)
    throw new ConflictError('It is too late to undo this');
  const same = events.filter(
    ({ metadata }) => metadata.causation === changed.causation && metadata.actor === actor,
  );
  const revisions = same.map((event) => event.revision);
  return { first: Math.min(...revisions), last: Math.max(...revisions) };
}

/** Every saving of the notes from one revision to another, if they are all that actor's. */
function notesRange(events: readonly RecordedEvent[], first: number, last: number, actor: string): UndoRange {
  const savings = events.filter(
    ({ revision, type }) => first <= revision && revision <= last && type === 'JobNotesChanged',
  );
  if (savings[0]?.revision !== first) throw new ConflictError(nothingToUndoMessage);
  if (savings.some(({ metadata }) => metadata.actor !== actor)) throw new ConflictError(changedSinceMessage);
  return { first, last, only: 'notes' };
}
