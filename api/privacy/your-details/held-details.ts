import type { Deps } from '#api/deps.ts';
import { type LoadedJob, linksOf } from '#api/jobs/load-job.ts';
import { isAskedByCustomer } from '#api/privacy/request-erasure.ts';
import { mostCorrections } from '#core/job/customer/decide.ts';
import { type RetentionRule, retainedUntil, retentionRule } from '#core/job/retention/periods.ts';
import { hidesContact, isUnfinished, type JobStatus } from '#core/job/status/statuses.ts';
import type { JobDetails } from '#core/job/view.ts';
import { eachField, jobRequestLabels, waysToReach } from '#core/values/job-form.ts';
import { formatPhone } from '#core/values/phone.ts';
import type {
  CorrectionAnswer,
  KeepReason,
  RecordAudience,
  RecordMaker,
} from '#core/values/stored-details.ts';
import { isPictureType, unsentWords } from '#core/values/uploads.ts';

type Row = Readonly<{ label: string; value: string }>;

/** What is held about the customer of one job, and what they can ask for. */
export type HeldDetails = Readonly<{
  /** Only what was filled in. */
  rows: readonly Row[];
  /** `bytes`: the size of the file; `thumb`: the link to its small picture, null for what is no picture. */
  files: readonly Readonly<{ name: string; bytes: number; thumb: string | null }>[];
  status: JobStatus;
  /** Whether the customer said that the job is no longer needed, before it was decided or done. */
  isCalledOff: boolean;
  /** Instants. */
  sentAt: string;
  /** `years` counts for what was worked on; of others it is twelve months. */
  retention: Readonly<{ rule: RetentionRule; years: number; until: string }>;
  /** With what the business answered; null before it did. */
  corrections: readonly Readonly<{ text: string; askedAt: string; answer: CorrectionAnswer | null }>[];
  canCorrect: boolean;
  removal: Removal;
  /** The newest signed records of the job that were made, by whom and for whom, newest first. */
  records: readonly Readonly<{ madeAt: string; by: RecordMaker; audience: RecordAudience }>[];
}>;

/**
 * `at-once`: a press plans it, as the job was never accepted; `by-business`: a press asks the business, which worked on it; `asked`: the
 * business is to answer; `refused`: it keeps them because of `reason`, and they go by themselves at `until`; `planned`: the details go at
 * `dueAt`, and `canKeep` says whether the customer can take that back.
 */
type Removal =
  | Readonly<{ state: 'at-once' | 'by-business' }>
  | Readonly<{ state: 'asked'; askedAt: string }>
  | Readonly<{ state: 'refused'; reason: KeepReason; until: string }>
  | Readonly<{ state: 'planned'; dueAt: string; canKeep: boolean }>;

/** What is held now. `years`: how long the business stores the details of what it worked on. */
export async function heldOf(
  deps: Pick<Deps, 'config' | 'now' | 'store'>,
  job: LoadedJob,
  years: number,
): Promise<HeldDetails> {
  const { details, events } = job;
  const { thumbnailUrl } = linksOf(deps);
  const corrections = correctionsIn(job);
  const rule = retentionRule(details.status);
  const lastAt = events.at(-1)?.metadata.at ?? details.createdAt;
  return {
    rows: rowsOf(details),
    files: filesOf(details).map(({ id, name, mime, bytes }) => {
      const thumb = isPictureType(mime) ? thumbnailUrl({ id }) : null;
      return { name, bytes, thumb };
    }),
    ...{ status: details.status, sentAt: details.createdAt },
    isCalledOff: details.noLongerNeededAt !== null && isUnfinished(details.status),
    retention: { rule, years, until: retainedUntil(rule, new Date(lastAt), years).toISOString() },
    corrections,
    canCorrect: corrections.length < mostCorrections && details.erasureDueAt === null,
    removal: await removalOf(deps, job),
    records: recordsIn(job),
  };
}

/** How many records a page lists. */
const mostRecords = 5;

function recordsIn({ events }: LoadedJob): HeldDetails['records'] {
  const made = events.flatMap(({ event }) => (event?.type === 'JobRecordIssued' ? [event.data] : []));
  return made
    .slice(-mostRecords)
    .map(({ issuedAt, by, audience }) => ({ madeAt: issuedAt, by, audience }))
    .toReversed();
}

async function removalOf(deps: Pick<Deps, 'store'>, job: LoadedJob): Promise<Removal> {
  const { details, events } = job;
  if (details.erasureDueAt !== null) {
    const planned = plannedErasure(job);
    const canKeep = planned !== null && (await isAskedByCustomer(deps, planned));
    return { state: 'planned', dueAt: details.erasureDueAt, canKeep };
  }
  if (hidesContact(details.status)) return { state: 'at-once' };
  const { removalAskedAt: askedAt, keptUntil: until } = details;
  if (askedAt !== null) return { state: 'asked', askedAt };
  const refused = events.findLast(({ type }) => type === 'CustomerRemovalRefused')?.event;
  return until !== null && refused?.type === 'CustomerRemovalRefused'
    ? { state: 'refused', reason: refused.data.reason, until }
    : { state: 'by-business' };
}

function correctionsIn({ events }: LoadedJob): HeldDetails['corrections'] {
  return events.flatMap(({ event, revision }) => {
    if (event?.type !== 'CustomerCorrectionAsked') return [];
    const answered = events.findLast(
      (one) => one.event?.type === 'CustomerCorrectionAnswered' && one.event.data.asked === revision,
    )?.event;
    const answer = answered?.type === 'CustomerCorrectionAnswered' ? answered.data.answer : null;
    return [{ text: event.data.text, askedAt: event.data.askedAt, answer }];
  });
}

/** The erasure that is to come; null where none is planned. */
export function plannedErasure({ details, events }: LoadedJob): string | null {
  if (details.erasureDueAt === null) return null;
  const last = events.findLast(({ type }) => type === 'CustomerErasurePlanned')?.event;
  return last?.type === 'CustomerErasurePlanned' ? last.data.erasureId : null;
}

/** The customer's own files. */
export const filesOf = ({ media }: JobDetails) => media.filter(({ work }) => !work);

/** What the customer typed, as it is stored. */
export function typedBy(details: JobDetails) {
  return eachField((field) => (field === 'address' ? details.location.address : details[field]));
}

function rowsOf(details: JobDetails): Row[] {
  const { phone, reachBy, isUrgent, unsentFiles, answers } = details;
  const words = {
    ...typedBy(details),
    phone: phone && formatPhone(phone),
    reachBy: reachBy && waysToReach[reachBy],
  };
  const typed = eachField((field) => ({ label: jobRequestLabels[field], value: words[field] }));
  const rows: Row[] = [
    ...Object.values(typed),
    { label: 'Urgent', value: isUrgent ? 'Yes' : '' },
    { label: 'Not here', value: unsentFiles > 0 ? unsentWords(unsentFiles) : '' },
    ...answers.map(({ question, answer }) => ({ label: question, value: answer })),
  ];
  return rows.filter(({ value }) => value !== '');
}
