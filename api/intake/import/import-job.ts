import { type } from 'arktype';
import type { Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/answers.ts';
import { attachMedia, mediaOfJob, storeMedia } from '#api/intake/media.ts';
import { Instant } from '#api/jobs/scheduled-time.ts';
import { attachPhoto, storePhoto } from '#api/jobs/stored-photos.ts';
import { UnstorableEventError } from '#core/event-store/errors.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { type JobCommand, jobDecider } from '#core/job/job.ts';
import { captionProblem, photoStages } from '#core/job/photos/photo-stages.ts';
import type { Media } from '#core/job/request/events.ts';
import { isWorkingStatus, jobStatuses, type WorkingStatus } from '#core/job/status/statuses.ts';
import { DomainError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import {
  consumerFields,
  eachField,
  type JobRequestField,
  newJobProblem,
  normaliseJobRequest,
  notPlainTextMessage,
  validateJobRequest,
} from '#core/values/job-form.ts';
import type { Region } from '#core/values/region.ts';
import { isWellFormed, severalLines } from '#core/values/text.ts';
import { mediaUpload } from '#core/values/uploads.ts';
import type { Archive } from './archive.ts';
import { implausibleMessage, isPlausible } from './typed-instant.ts';

const Caption = type('string').narrow((text, ctx) => captionProblem(text) === null || ctx.mustBe('shorter'));

/** What an import takes of a line of `jobs.ndjson`; the rest of it follows from this. */
const ImportedJob = type({
  id: 'string <= 100',
  type: "'Consumer' | 'WorkOrder'",
  status: type.enumerated(...jobStatuses),
  name: 'string',
  'email?': 'string',
  'phone?': 'string',
  title: 'string',
  isUrgent: 'boolean',
  createdAt: Instant,
  scheduledAt: Instant.or('null'),
  noLongerNeededAt: Instant.or('null'),
  'erasedAt?': 'string',
  notes: 'string',
  location: {
    address: 'string',
    placeId: 'string <= 300 | null',
    lat: '-90 <= number <= 90 | null',
    lng: '-180 <= number <= 180 | null',
  },
  form: type({
    questionId: 'string',
    question: 'string',
    field: type.enumerated(...consumerFields).or('null'),
    answer: 'string',
  }).array(),
  consumerJobDetails: type({ description: 'string', wishedTime: 'string', '[string]': 'string' }).or('null'),
  workOrderDetails: type({ description: 'string' }).or('null'),
  files: type({
    file: 'string',
    work: type({ stage: type.enumerated(...photoStages), caption: Caption, addedAt: Instant }).or('null'),
  }).array(),
});
type ImportedJob = typeof ImportedJob.infer;

export type ImportDeps = Pick<Deps, 'config' | 'db' | 'store' | 'files' | 'now'>;

/** The business that a line is for, and its country. */
type Into = Readonly<{ businessId: string; region: Region }>;

/** What became of a line: `why` in words where it did not become a job. */
export type Outcome =
  | Readonly<{ kind: 'added' | 'there'; filesLeftOut: number }>
  | Readonly<{ kind: 'withheld' | 'refused'; why: string }>;

/**
 * Makes the job of one line of an export, with the contact and the files that are in it, in the status that it has; as it is
 * silent, no message goes out. The same line again adds nothing, and what was changed here since stays.
 */
export async function importJob(
  deps: ImportDeps,
  { businessId, region }: Into,
  archive: Archive,
  line: string,
): Promise<Outcome> {
  const job = parse(line);
  if (typeof job === 'string') return { kind: 'refused', why: job };
  const { status } = job;
  if (job.erasedAt !== undefined) return { kind: 'withheld', why: 'the customer was removed' };
  if (job.email === undefined || job.phone === undefined || !isWorkingStatus(status))
    return { kind: 'withheld', why: noContact(status) };
  const asked = requestOf(job, job.email, job.phone);
  const { email, ...others } = validateJobRequest(asked, region);
  // A job that was imported by its mobile alone has none.
  const ofEmail = job.email === '' ? undefined : email;
  const problems = { ...others, email: ofEmail, notes: newJobProblem('notes', job.notes, region) };
  const [problem] = Object.entries(problems).filter(([, message]) => message);
  if (problem) return { kind: 'refused', why: problem.join(': ') };
  const moment = implausible(job, deps.now());
  if (moment) return { kind: 'refused', why: `${moment} ${implausibleMessage}` };
  return carryOver(deps, { businessId, archive, job, asked: normaliseJobRequest(asked, region), status });
}

/** The job of a line, or what is wrong with it: names fields, and nothing of what stands in them. */
function parse(line: string): ImportedJob | string {
  let given: unknown;
  let isStorable = true;
  try {
    given = JSON.parse(line.replace(/^\ufeff/, ''), (key, value) => {
      isStorable &&= isWellFormed(key) && (typeof value !== 'string' || isWellFormed(value));
      return value;
    });
  } catch {
    return 'it is no JSON';
  }
  if (!isStorable) return notPlainTextMessage;
  const job = ImportedJob(given);
  if (!(job instanceof type.errors)) return job as ImportedJob;
  const fields = new Set(job.map(({ path }) => path.join('.')).filter(Boolean));
  return `it is no job of an export: ${[...fields].join(', ') || 'nothing of one is there'}`;
}

function implausible(job: ImportedJob, now: Date): string | undefined {
  const moments = {
    createdAt: job.createdAt,
    scheduledAt: job.scheduledAt,
    noLongerNeededAt: job.noLongerNeededAt,
    ...Object.fromEntries(job.files.map(({ file, work }) => [`addedAt of ${file}`, work?.addedAt ?? null])),
  };
  return Object.entries(moments).find(([, at]) => at !== null && !isPlausible(at, now))?.[0];
}

/** A line is refused by what it holds alone; throws on what would refuse every other as well, such as a database that is away. */
export function refusalOf(error: unknown): Extract<Outcome, { kind: 'refused' | 'withheld' }> {
  const isOfLine =
    error instanceof DomainError ||
    error instanceof UnstorableEventError ||
    (error instanceof HttpError && error.status < 500);
  if (isOfLine) return { kind: 'refused', why: 'it holds something that cannot be stored' };
  throw error;
}

/** What becomes of a line that is not even read. */
export const tooLong: Outcome = { kind: 'refused', why: 'it is longer than a megabyte' };

function requestOf(job: ImportedJob, email: string, phone: string) {
  const { name, title, location, consumerJobDetails, workOrderDetails } = job;
  const ordered = { description: workOrderDetails?.description ?? '' };
  const details: Readonly<Record<string, string>> = consumerJobDetails ?? ordered;
  const known: Partial<Record<JobRequestField, string>> = {
    name,
    email,
    phone,
    title,
    address: location.address,
  };
  return eachField((field) => known[field] ?? details[field] ?? '');
}

/** An answer as the form would have taken it. */
const tidyAnswer = (one: ImportedJob['form'][number]) => ({
  ...one,
  answer: severalLines(one.answer).trim(),
});

type Work = Readonly<{
  businessId: string;
  archive: Archive;
  job: ImportedJob;
  asked: ReturnType<typeof normaliseJobRequest>;
  status: WorkingStatus;
}>;

async function carryOver(deps: ImportDeps, work: Work): Promise<Outcome> {
  const { businessId, job, status } = work;
  const jobId = uuidV5(businessId, `import ${job.id}`);
  const stream = streamName('job', jobId);
  const known = await deps.store.readStream(stream);
  if (known.some(({ metadata }) => metadata.actor !== ACTOR)) return { kind: 'there', filesLeftOut: 0 };
  const customers = job.files.filter((file) => file.work === null);
  let appended = 0;
  const run = async (command: Pick<JobCommand, 'type' | 'data'>, name: string, at = job.createdAt) => {
    const cause = { commandId: uuidV5(jobId, name), actor: ACTOR, correlation: 'import' };
    const { events, revision } = await handleCommand(
      ...[deps.store, jobDecider, stream, { ...command, at } as JobCommand, cause],
    );
    if (revision >= known.length) appended += events.length;
  };
  const of = { jobId, businessId };
  const { address: _, ...typed } = work.asked;
  const came = { ...of, ...typed, isUrgent: job.isUrgent, location: job.location };
  let media: readonly Media[] = [];
  if (job.type === 'WorkOrder') {
    const { name, email, phone, title, description, isUrgent, location } = came;
    const ordered = { ...of, name, email, phone, title, description, isUrgent, location };
    await run({ type: 'ReceiveWorkOrder', data: { ...ordered, scheduledAt: job.scheduledAt } }, 'came');
  } else {
    media = known.length === 0 ? await customersFiles(deps, work, jobId, customers) : [];
    await run({ type: 'RequestJob', data: { ...came, answers: job.form.map(tidyAnswer), media } }, 'came');
  }
  await run({ type: 'AcceptJob', data: of }, 'accepted');
  if (job.scheduledAt !== null)
    await run({ type: 'ScheduleJob', data: { ...of, scheduledAt: job.scheduledAt } }, 'scheduled');
  if (job.notes !== '') await run({ type: 'ChangeJobNotes', data: { ...of, notes: job.notes } }, 'notes');
  const photos = await importPhotos(deps, work, jobId, run);
  if (job.noLongerNeededAt !== null)
    await run({ type: 'SayJobNoLongerNeeded', data: of }, 'not needed', job.noLongerNeededAt);
  await run({ type: 'ChangeJobStatus', data: { ...of, status } }, 'status');
  const isNew = known.length === 0;
  const stored = (isNew ? media.length : customers.length) + photos;
  return { kind: appended > 0 ? 'added' : 'there', filesLeftOut: job.files.length - stored };
}

/** Who an imported event is by: processes that act on events leave it alone. */
export const ACTOR = 'import';

type Run = (command: Pick<JobCommand, 'type' | 'data'>, name: string, at?: string) => Promise<void>;

/** The customer's files, scanned and drawn anew. Those of a run that was ended before its job came are taken over. */
async function customersFiles(
  deps: ImportDeps,
  { businessId, archive }: Work,
  jobId: string,
  wanted: ImportedJob['files'],
): Promise<readonly Media[]> {
  const before = await inTransaction(deps.db, (db) => mediaOfJob(db, { businessId, jobId }));
  if (before.length > 0) return before;
  const ids: string[] = [];
  for (const { file } of wanted.slice(0, mediaUpload.files)) {
    const bytes = await archive.bytes(file, mediaUpload.bytes);
    if (!bytes) continue;
    const name = (file.split('/').at(-1) ?? file).replace(/^\d+ /, '');
    ids.push((await storeMedia(deps, { businessId, bytes: new Uint8Array(bytes), name })).id);
  }
  return inTransaction(deps.db, (db) => attachMedia(db, { businessId, jobId, ids }, deps.now()));
}

/** The photos of the work; answers how many are in the job. */
async function importPhotos(
  deps: ImportDeps,
  { businessId, archive, job }: Work,
  jobId: string,
  run: Run,
): Promise<number> {
  let stored = 0;
  for (const { file, work } of job.files) {
    const bytes = work && (await archive.bytes(file, mediaUpload.bytes));
    if (!work || !bytes) continue;
    const photoId = uuidV5(jobId, file).replaceAll('-', '');
    const photo = await storePhoto(deps, { businessId, jobId, photoId, bytes: new Uint8Array(bytes) });
    await attachPhoto(deps.db, { businessId, jobId, photoId }, deps.now());
    const { stage, caption, addedAt } = work;
    await run(
      { type: 'AddJobPhoto', data: { jobId, businessId, photoId, ...photo, stage, caption } },
      `photo ${photoId}`,
      addedAt,
    );
    stored += 1;
  }
  return stored;
}

/** Contact is in an export for jobs that were accepted. */
function noContact(status: string): string {
  if (status === 'Pending') return 'it has no contact, as it is not answered yet';
  return status === 'Rejected' ? 'it has no contact, as it was rejected' : 'it has no contact';
}
