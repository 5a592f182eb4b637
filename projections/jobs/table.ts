import type { QueryResultRow } from 'pg';
import { coverOf, picturesIn } from '#core/job/photos/files.ts';
import { type CardWords, cardWords } from '#core/job/request/card-words.ts';
import type { JobLocation } from '#core/job/request/events.ts';
import type { HeldFor, JobStatus, JobType } from '#core/job/status/statuses.ts';
import { erasedCustomer, type JobCardView, type JobDetails } from '#core/job/view.ts';
import type { Statement } from '#core/postgres/statement.ts';
import type { WayToReach } from '#core/values/job-form.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import {
  type Column,
  code,
  count,
  decimal,
  declareTable,
  flag,
  instant,
  integer,
  json,
  nullable,
  personal,
  text,
} from '#projections/runtime/table.ts';
import { spansTable } from './spans.ts';

/** Where readers of jobs ask: sessions that see the rows of one business, or a pool that sees all. */
export type JobRows = Readonly<{
  query<Row extends QueryResultRow>(
    statement: Statement | string,
    values?: unknown[],
  ): Promise<{ rows: Row[] }>;
}>;

/** For each field the name and the type of its column; the table, a row of it and what is read back follow from that. */
type Stored<Fields> = {
  readonly [Field in keyof Fields]-?: readonly [name: string, type: Column<Fields[Field]>];
};

/** Of `job_details`: what only the page of one job shows. */
const detailFields = {
  notes: ['notes', personal(text())],
  description: ['description', personal(text())],
  wishedTime: ['wished_time', personal(text())],
  reachBy: ['reach_by', text<WayToReach | ''>()],
  unsentFiles: ['unsent_files', integer()],
  answers: ['answers', personal(json<JobDetails['answers']>())],
  media: ['media', personal(json<JobDetails['media']>())],
  openedAt: ['opened_at', nullable(instant())],
} as const satisfies Partial<Stored<JobDetails>>;
type DetailField = keyof typeof detailFields;

const locationFields = {
  address: ['address', personal(text())],
  placeId: ['place_id', personal(nullable(text()))],
  lat: ['lat', personal(nullable(decimal()))],
  lng: ['lng', personal(nullable(decimal()))],
} as const satisfies Stored<JobLocation>;

/** Of `jobs`, with the location: what lists, the schedule and hints show, find and order by. `words` and `preferredTime` hide contact as stored. */
const cardFields = {
  id: ['job_id', code()],
  businessId: ['business_id', code()],
  type: ['type', text<JobType>()],
  status: ['status', code<JobStatus>()],
  heldFor: ['held_for', nullable(text<HeldFor>())],
  title: ['title', personal(text())],
  isUrgent: ['is_urgent', flag()],
  scheduledAt: ['scheduled_at', nullable(instant())],
  createdAt: ['created_at', instant()],
  noLongerNeededAt: ['no_longer_needed_at', nullable(instant())],
  erasureDueAt: ['erasure_due_at', nullable(instant())],
  removalAskedAt: ['removal_asked_at', nullable(instant())],
  keptUntil: ['kept_until', nullable(instant())],
  erasedAt: ['erased_at', nullable(instant())],
  name: ['name', personal(text())],
  email: ['email', personal(text())],
  phone: ['phone', personal(text())],
  pictures: ['pictures', integer()],
  cover: ['cover', nullable(text())],
  words: ['words', personal(text())],
  preferredTime: ['preferred_time', personal(text())],
  revision: ['revision', integer()],
} as const satisfies Stored<CardField>;
type CardField = Omit<JobCard, 'location'>;

/** What a card has of a job. */
export type JobCard = Omit<JobDetails, DetailField> &
  Pick<JobCardView, 'pictures'> &
  CardWords &
  Readonly<{ cover: string | null }>;
type Row = Readonly<Record<string, unknown>>;

const columnsOf = (...fields: readonly Stored<object>[]): Record<string, Column<unknown>> =>
  Object.fromEntries(fields.flatMap((some) => Object.values(some)));

/** The job finds the row; the business is in every key so that tables can be split by it (core/decisions/066). */
const jobKey = ['job_id', 'business_id'] as const;

export const jobsTable = declareTable({
  name: 'jobs',
  columns: columnsOf(cardFields, locationFields),
  primaryKey: jobKey,
  indexes: {
    created: '(business_id, created_at desc, job_id desc)',
    status_created: '(business_id, status, created_at desc, job_id desc)',
    scheduled: '(business_id, scheduled_at nulls first, job_id)',
    requests: '(job_id) where removal_asked_at is not null or kept_until is not null',
    status_scheduled: '(business_id, status, scheduled_at nulls first, job_id)',
  },
  visible: 'to all sessions',
});

/** How many jobs of a status a business has, held ones apart. Without jobs there is no row. */
export const countsTable = declareTable({
  name: 'job_counts',
  columns: { business_id: code(), status: code<JobStatus>(), held: flag(), n: count() },
  primaryKey: ['business_id', 'status', 'held'],
  visible: 'to all sessions',
});

/** Apart from the jobs, so that a change of status, which is most of what happens to one, leaves the trigrams alone. */
export const searchTable = declareTable({
  name: 'job_search',
  // `search` is folded (search-text.ts), and without contact while the status withholds it. An erased customer's is empty, and the
  // reference of the job stays: it says nothing of a person.
  columns: {
    ...{ job_id: code(), business_id: code(), created_at: instant() },
    ...{ search: code(), reference: code() },
  },
  primaryKey: jobKey,
  indexes: {
    search: 'using gin (business_id, search gin_trgm_ops)',
    reference: '(reference, business_id)',
    created: '(business_id, created_at desc, job_id desc)',
  },
  visible: 'to all sessions',
});

export const detailsTable = declareTable({
  name: 'job_details',
  columns: { ...columnsOf({ id: cardFields.id, businessId: cardFields.businessId }, detailFields) },
  primaryKey: jobKey,
  visible: 'to one business',
});

export const version = 1;

/** The tables that this release reads, quoted, with their schema. */
const { table: live } = liveBuild({ name: 'jobs', version });
export const jobTables = {
  jobs: live(jobsTable.name),
  counts: live(countsTable.name),
  search: live(searchTable.name),
  details: live(detailsTable.name),
  spans: live(spansTable.name),
} as const;

/** What a query of cards selects of `jobs`: no contact while `withholdsContact` says so. */
export const cardColumns = Object.keys(jobsTable.columns)
  .map((name) =>
    name === 'email' || name === 'phone'
      ? `case when status in ('Pending', 'Rejected') or coalesce(erasure_due_at, erased_at) is not null then '' else ${name} end as ${name}`
      : name,
  )
  .join(', ');

export function toJobRow(job: JobDetails): Row {
  const card = { ...job, ...cardWords(job), pictures: picturesIn(job.media), cover: coverOf(job.media) };
  return { ...toRow<CardField>(cardFields, card), ...toRow(locationFields, job.location) };
}

export function toDetailsRow(job: JobDetails): Row {
  return {
    job_id: job.id,
    business_id: job.businessId,
    ...toRow<Pick<JobDetails, DetailField>>(detailFields, job),
  };
}

/** By table and column, what is stored of a job whose customer is erased: everything that says something of them. */
export const erasedColumns = {
  jobs: {
    ...ofErased(cardFields, { ...erasedCustomer, pictures: 0, cover: null, words: '', preferredTime: '' }),
    ...ofErased(locationFields, erasedCustomer.location),
  },
  job_details: ofErased(detailFields, erasedCustomer),
} as const;

function ofErased(stored: Readonly<Record<string, readonly [string, Column<unknown>]>>, erased: Row): Row {
  const found = Object.entries(stored).filter(([field]) => field in erased);
  return Object.fromEntries(found.map(([field, [column]]) => [column, erased[field]]));
}

/** Whether anything differs that `job_details` holds. */
export function hasOtherDetails(before: JobDetails, after: JobDetails): boolean {
  return (Object.keys(detailFields) as DetailField[]).some((field) => before[field] !== after[field]);
}

/** The reverse of `toJobRow`. Instants come as `Date`, or as Postgres writes them in JSON. */
export function toCard(row: Row): JobCard {
  return { ...fromRow<CardField>(cardFields, row), location: fromRow<JobLocation>(locationFields, row) };
}

/** The reverse of `toJobRow` and `toDetailsRow`, of a row that has the columns of both. */
export function toJob(row: Row): JobDetails {
  const { pictures: _, cover: __, words: ___, preferredTime: ____, ...card } = toCard(row);
  return { ...card, ...fromRow<Pick<JobDetails, DetailField>>(detailFields, row) };
}

function toRow<Fields>(stored: Stored<Fields>, fields: Fields): Row {
  const row: Record<string, unknown> = {};
  for (const field in stored) row[stored[field][0]] = fields[field];
  return row;
}

function fromRow<Fields>(stored: Stored<Fields>, row: Row): Fields {
  const fields: Partial<Fields> = {};
  for (const field in stored) {
    const [name, { isInstant }] = stored[field];
    const value = row[name] as Fields[typeof field];
    fields[field] = isInstant && value !== null ? (isoOf(value) as Fields[typeof field]) : value;
  }
  return fields as Fields;
}

/** ISO 8601 in UTC. */
function isoOf(value: unknown): string {
  return new Date(value as Date | string).toISOString();
}
