import { type } from 'arktype';
import { LRUCache } from 'lru-cache';
import { fileNameFor, type SafeFile } from '#api/businesses/safe-file.ts';
import type { JobFile } from '#core/job/photos/files.ts';
import { photoStages } from '#core/job/photos/photo-stages.ts';
import { heldReasons, jobStatuses } from '#core/job/status/statuses.ts';
import { type JobCardView, type JobDetails, jobView } from '#core/job/view.ts';
import { shownText } from '#core/job/withheld-fields.ts';
import type { Frozen } from '#core/kernel/event.ts';
import {
  consumerFields,
  type JobRequestField,
  jobReference,
  type WayToReach,
  waysToReach,
} from '#core/values/job-form.ts';
import { jobLength } from '#core/values/job-length.ts';
import { formatPhone } from '#core/values/phone.ts';
import type { Region } from '#core/values/region.ts';

/** What a spreadsheet takes for the beginning of a formula, also after spaces and in full width. */
const FORMULA = /^[\s\u00a0\u3000\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

const BEGINS_PLAINLY = /^[A-Za-z0-9]/;

const waysOfReaching = Object.keys(waysToReach) as WayToReach[];

type Asked = Readonly<Record<JobRequestField, string>>;

/** The columns of `jobs.csv`, each with its heading. */
const columns: readonly (readonly [
  heading: string,
  cell: (job: ExportedJob, asked: Asked, timeZone: string) => string,
])[] = [
  ['Reference', (job) => job.reference],
  ['Status', (job) => job.status],
  ['Title', (_, asked) => asked.title],
  ['Customer', (_, asked) => asked.name],
  ['Phone', (_, asked) => asked.phone],
  ['Email', (_, asked) => asked.email],
  ['Address', (_, asked) => asked.address],
  ['Came', (job, _, timeZone) => localTime(job.createdAt, timeZone)],
  ['Scheduled', (job, _, timeZone) => (job.scheduledAt ? localTime(job.scheduledAt, timeZone) : '')],
  ['Urgent', (job) => (job.isUrgent ? 'yes' : '')],
  ['Description', (_, asked) => asked.description],
  ['Preferred time', (_, asked) => asked.wishedTime],
  ['Best reached by', (_, asked) => asked.reachBy],
  ['Answers', (job) => job.form.map(({ question, answer }) => `${question}: ${answer}`).join('\n')],
  ['Notes', (job) => job.notes],
  ['Files', (job) => job.files.map(({ file }) => file).join('\n')],
  ['Id', (job) => job.id],
];

/** The first line of `jobs.csv`. */
export const jobsHead = csvLine(columns.map(([heading]) => heading));

/** A line of `jobs.ndjson`: a job as its tradie may see it, files by their names in the archive. */
const ExportedJobLine = type({
  '+': 'reject',
  reference: 'string',
  id: 'string',
  type: "'Consumer' | 'WorkOrder'",
  status: type.enumerated(...jobStatuses),
  title: 'string',
  isUrgent: 'boolean',
  scheduledAt: 'string | null',
  createdAt: 'string',
  noLongerNeededAt: 'string | null',
  heldFor: type.enumerated(...heldReasons).or('null'),
  'erasureDueAt?': 'string',
  'removalAskedAt?': 'string',
  'erasedAt?': 'string',
  name: 'string',
  'email?': 'string',
  'phone?': 'string',
  notes: 'string',
  location: {
    '+': 'reject',
    address: 'string',
    placeId: 'string | null',
    lat: 'number | null',
    lng: 'number | null',
  },
  pictures: 'number.integer >= 0',
  form: type({
    '+': 'reject',
    questionId: 'string',
    question: 'string',
    field: type.enumerated(...consumerFields).or('null'),
    answer: 'string',
  }).array(),
  consumerJobDetails: type({
    '+': 'reject',
    ...(Object.fromEntries(consumerFields.map((field) => [`${field}?`, 'string'])) as Record<
      `${(typeof consumerFields)[number]}?`,
      'string'
    >),
    description: 'string',
    wishedTime: 'string',
    'reachBy?': type.enumerated(...waysOfReaching),
    'unsentFiles?': 'number.integer > 0',
  }).or('null'),
  workOrderDetails: type({ '+': 'reject', description: 'string', contact: 'object | null' }).or('null'),
  revision: 'number.integer >= 0',
  files: type({
    '+': 'reject',
    file: 'string',
    mime: 'string',
    /** Of a photo of the work; null for what the customer sent. */
    work: type({
      '+': 'reject',
      stage: type.enumerated(...photoStages),
      caption: 'string',
      addedAt: 'string',
    }).or('null'),
  }).array(),
});

/** JSON Schema of a line of `jobs.ndjson`. */
export const jobSchema = () => ExportedJobLine.toJsonSchema();

export type ExportedJob = Frozen<typeof ExportedJobLine.infer>;

export function exportedJob(details: JobDetails): ExportedJob {
  const none = () => '';
  const view = jobView(details, { mediaUrl: none, thumbnailUrl: none, contact: null });
  const files = details.media.map((media, n) => {
    return { file: pathOf(details, media, n), mime: media.mime, work: media.work ?? null };
  });
  // JSON leaves out what is undefined: to copy all but these fields would take longer than to make the view.
  const leftOut = {
    media: undefined,
    photos: undefined,
    thumb: undefined,
    words: undefined,
    preferredTime: undefined,
  };
  return { reference: jobReference(details.id), ...view, ...leftOut, files };
}

/** What a job is called in the archive: no two have the same name, which references alone would not promise. */
export function nameInArchive(jobId: string): string {
  return `${jobReference(jobId)}-${jobId.slice(0, 8)}`;
}

/** Where a file of a job stands in the archive. Neither two jobs nor two files of one have the same. */
export function pathOf(details: JobDetails, file: JobFile, n: number): string {
  const folder = nameInArchive(details.id);
  const name = fileNameFor(shownText(details, file.name), file.mime as SafeFile['mime']);
  return `files/${folder}/${n + 1} ${name}`;
}

/** Where the business is: the zone of times, and the country in which its numbers are dialled. */
type Place = Readonly<{ timeZone: string; region: Region }>;

/** A job's line of `jobs.csv`, times in the business's zone. Numbers as people dial them there: `+61…` would read as a formula. */
export function jobLine(job: ExportedJob, { timeZone, region }: Place): string {
  const asked = askedFor(job, region);
  return csvLine(columns.map(([, cell]) => cell(job, asked, timeZone)));
}

/** What the customer typed, as cells: a field that is added to the form does not compile before it has one. */
function askedFor({ title, name, phone, email, location, ...job }: ExportedJob, region: Region) {
  const { description, wishedTime, reachBy } = job.consumerJobDetails ?? {};
  return {
    ...{ title, name, phone: phone ? formatPhone(phone, region) : '', email: email ?? '' },
    address: location.address,
    description: description ?? job.workOrderDetails?.description ?? '',
    wishedTime: wishedTime ?? '',
    reachBy: reachBy ? waysToReach[reachBy] : '',
  } satisfies Record<JobRequestField, string>;
}

/** `2026-11-23 17:30`: what every spreadsheet takes for a time; `2026-11-23` of midnight, a day without an hour. */
export function localTime(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  const [day = '', time = ''] = new Date(at + offsetAt(at, timeZone)).toISOString().split('T');
  return time === '00:00:00.000Z' ? day : `${day} ${time.slice(0, 5)}`;
}

const DAY = 24 * 60 * 60_000;
/** What a zone is ahead of UTC in milliseconds, by zone and day in UTC; null for a day on which it changes. */
const offsetsOfDays = new LRUCache<string, Readonly<{ offset: number | null }>>({ max: 10_000 });

/** Of a zone at a moment: looked up once for a day, as two for each job are a third of the work of its line. */
function offsetAt(at: number, timeZone: string): number {
  const look = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6;
  const day = Math.floor(at / DAY);
  const key = `${day} ${timeZone}`;
  let known = offsetsOfDays.get(key);
  if (!known) {
    const [first, last] = [look(day * DAY), look((day + 1) * DAY)];
    known = { offset: first === last ? first : null };
    offsetsOfDays.set(key, known);
  }
  return known.offset ?? look(at);
}

/**
 * One line of a CSV (RFC 4180): every cell in quotes, CRLF at its end. A cell that a spreadsheet would calculate gets an
 * apostrophe before it (OWASP, CSV injection).
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  // Most cells begin with a letter or a digit, and none of these is a formula's beginning.
  const safe = !BEGINS_PLAINLY.test(cell) && FORMULA.test(cell) ? `'${cell}` : cell;
  return safe.includes('"') ? `"${safe.replaceAll('"', '""')}"` : `"${safe}"`;
}

/** Before the first line: without it spreadsheets read UTF-8 as something else. */
export const BYTE_ORDER_MARK = '\ufeff';

const encoder = new TextEncoder();
/** Bytes of a line at most, its end left out (RFC 5545, 3.1). */
const LINE = 75;

/** What stands before the events of a calendar, and after them. */
export const calendarHead = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Ute//Export//EN']
  .map((line) => `${line}\r\n`)
  .join('');
export const calendarEnd = 'END:VCALENDAR\r\n';

/**
 * A job as an event of a calendar (RFC 5545); null for one that is on no schedule. `host` makes its id one in the world;
 * `made` is when it was written.
 */
export function calendarEvent(
  job: JobCardView,
  { host, made, timeZone }: Readonly<{ host: string; made: Date; timeZone: string }>,
): string | null {
  if (job.scheduledAt === null || job.status === 'Rejected') return null;
  const start = new Date(job.scheduledAt);
  const said = [job.status, job.phone && formatPhone(job.phone), job.email].filter(Boolean).join('\n');
  return [
    'BEGIN:VEVENT',
    `UID:job-${job.id}@${host}`,
    `DTSTAMP:${utc(made)}`,
    ...spanOf(start, timeZone),
    `SUMMARY:${escaped(`${job.title}, ${job.name}`)}`,
    ...(job.location.address ? [`LOCATION:${escaped(job.location.address)}`] : []),
    `DESCRIPTION:${escaped(said)}`,
    'END:VEVENT',
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join('');
}

/** A day without an hour is a day of the calendar, up to the next one. */
function spanOf(start: Date, timeZone: string): readonly string[] {
  const day = localTime(start.toISOString(), timeZone);
  if (day.includes(' '))
    return [`DTSTART:${utc(start)}`, `DTEND:${utc(new Date(start.getTime() + jobLength))}`];
  const date = Temporal.PlainDate.from(day);
  const plain = (one: Temporal.PlainDate) => one.toString().replaceAll('-', '');
  return [`DTSTART;VALUE=DATE:${plain(date)}`, `DTEND;VALUE=DATE:${plain(date.add({ days: 1 }))}`];
}

function utc(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n');
}

/** A long line goes on in the next one, which begins with a space; no letter is split. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LINE) return line;
  const lines = [''];
  let room = LINE;
  for (const letter of line) {
    const { length } = encoder.encode(letter);
    if (length > room) {
      lines.push('');
      room = LINE - 1;
    }
    lines[lines.length - 1] += letter;
    room -= length;
  }
  return lines.join('\r\n ');
}
