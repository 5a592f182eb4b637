import { fileNameFor, type SafeFile } from '#api/businesses/files/safe-file.ts';
import type { JobFile } from '#core/job/photos.ts';
import { type JobDetails, type JobView, jobView, shownText } from '#core/job/view.ts';
import { formatPhone } from '#core/values/contact.ts';
import { jobReference } from '#core/values/job-form.ts';
import { csvLine } from './csv.ts';

const columns = [
  ...['Reference', 'Status', 'Title', 'Customer', 'Phone', 'Email', 'Address', 'Came', 'Scheduled', 'Urgent'],
  ...['Description', 'Preferred time', 'Answers', 'Notes', 'Files', 'Id'],
] as const;

/** The first line of `jobs.csv`. */
export const jobsHead = csvLine(columns);

/** A job as its tradie may see it, files by their names in the archive. */
export type ExportedJob = Omit<JobView, 'media' | 'photos'> &
  Readonly<{ reference: string; files: readonly ExportedFile[] }>;

/** `stage`, `caption` and `addedAt` of a photo of the work; null for what the customer sent. */
type ExportedFile = Readonly<{ file: string; mime: string; work: JobFile['work'] | null }>;

export function exportedJob(details: JobDetails): ExportedJob {
  const none = () => '';
  const {
    media: _,
    photos: __,
    ...view
  } = jobView(details, {
    ...{ mediaUrl: none, thumbnailUrl: none, contact: null },
  });
  const files = details.media.map((media, n) => {
    return { file: pathOf(details, media, n), mime: media.mime, work: media.work ?? null };
  });
  return { reference: jobReference(details.id), ...view, files };
}

/** Where a file of a job stands in the archive. Neither two jobs nor two files of one have the same. */
export function pathOf(details: JobDetails, file: JobFile, n: number): string {
  const folder = `${jobReference(details.id)}-${details.id.slice(0, 8)}`;
  const name = fileNameFor(shownText(details, file.name), file.mime as SafeFile['mime']);
  return `files/${folder}/${n + 1} ${name}`;
}

/** A job's line of `jobs.csv`, times in the business's zone. Numbers as people write them: `+61…` would read as a formula. */
export function jobLine(job: ExportedJob, timeZone: string): string {
  const details = job.consumerJobDetails;
  return csvLine([
    ...[job.reference, job.status, job.title, job.name, job.phone ? formatPhone(job.phone) : ''],
    ...[job.email ?? '', job.location.address, localTime(job.createdAt, timeZone)],
    ...[job.scheduledAt ? localTime(job.scheduledAt, timeZone) : '', job.isUrgent ? 'yes' : ''],
    details?.description ?? job.workOrderDetails?.description ?? '',
    details?.wishedTime ?? '',
    job.form.map(({ question, answer }) => `${question}: ${answer}`).join('\n'),
    ...[job.notes, job.files.map(({ file }) => file).join('\n'), job.id],
  ]);
}

/** `2026-11-23 17:30`: what every spreadsheet takes for a time. */
function localTime(instant: string, timeZone: string): string {
  const at = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return at.toString({ smallestUnit: 'minute' }).replace('T', ' ');
}
