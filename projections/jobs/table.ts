import type { QueryResultRow } from 'pg';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { isJobEvent } from '#core/job/events.ts';
import type { JobStatus, JobType } from '#core/job/statuses.ts';
import { evolveJobDetails, type JobDetails } from '#core/job/view.ts';

/** Where readers of jobs ask: sessions that see the rows of one business, or a pool that sees all. */
export type JobRows = Readonly<{
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}>;

/** The columns that a card and the details of a job have in common, named as in the tables. */
export type JobRow = Readonly<{
  job_id: string;
  business_id: string;
  type: JobType;
  status: JobStatus;
  title: string;
  is_urgent: boolean;
  scheduled_at: string | null;
  created_at: string;
  no_longer_needed_at: string | null;
  name: string;
  email: string;
  phone: string;
  address: string;
  place_id: string | null;
  lat: number | null;
  lng: number | null;
  notes: string;
  revision: number;
}>;

export const jobColumns = [
  'job_id',
  'business_id',
  'type',
  'status',
  'title',
  'is_urgent',
  'scheduled_at',
  'created_at',
  'no_longer_needed_at',
  'name',
  'email',
  'phone',
  'address',
  'place_id',
  'lat',
  'lng',
  'notes',
  'revision',
] as const satisfies readonly (keyof JobRow)[];

/** What a job row does not hold. */
export type JobExtras = Pick<
  JobDetails,
  'description' | 'wishedTime' | 'answers' | 'media' | 'openedAt' | 'heldFor'
>;
export const noExtras: JobExtras = {
  ...{ description: '', wishedTime: '', answers: [], media: [], openedAt: null, heldFor: null },
};

/** The facts after an event; the same ones when the event is no job's or names another business than the job's. */
export function nextFacts(facts: JobDetails | null, { event }: RecordedEvent): JobDetails | null {
  if (!event || !isJobEvent(event)) return facts;
  return facts !== null && event.data.businessId !== facts.businessId
    ? facts
    : evolveJobDetails(facts, event);
}

export function toJobRow(facts: JobDetails): JobRow {
  return {
    job_id: facts.id,
    business_id: facts.businessId,
    type: facts.type,
    status: facts.status,
    title: facts.title,
    is_urgent: facts.isUrgent,
    scheduled_at: facts.scheduledAt,
    created_at: facts.createdAt,
    no_longer_needed_at: facts.noLongerNeededAt,
    name: facts.name,
    email: facts.email,
    phone: facts.phone,
    address: facts.location.address,
    place_id: facts.location.placeId,
    lat: facts.location.lat,
    lng: facts.location.lng,
    notes: facts.notes,
    revision: facts.revision,
  };
}

/** The reverse of `toJobRow`. Instants come as the database writes them in JSON, or as `Date`. */
export function toJobFacts(row: JobRowRead, extras: JobExtras): JobDetails {
  const { address, place_id: placeId, lat, lng } = row;
  return {
    id: row.job_id,
    businessId: row.business_id,
    type: row.type,
    status: row.status,
    title: row.title,
    isUrgent: row.is_urgent,
    scheduledAt: isoOrNull(row.scheduled_at),
    createdAt: isoOf(row.created_at),
    noLongerNeededAt: isoOrNull(row.no_longer_needed_at),
    name: row.name,
    email: row.email,
    phone: row.phone,
    notes: row.notes,
    location: { address, placeId, lat, lng },
    revision: row.revision,
    ...extras,
  };
}

export function isoOrNull(instant: Date | string | null): string | null {
  return instant === null ? null : isoOf(instant);
}

/** What was folded in this batch has its instants in ISO 8601 already. */
function isoOf(instant: Date | string): string {
  return typeof instant === 'string' && instant.endsWith('Z') ? instant : new Date(instant).toISOString();
}

/** A row as a query answers it. */
export type JobRowRead = Omit<JobRow, 'scheduled_at' | 'created_at' | 'no_longer_needed_at'> &
  Readonly<{
    scheduled_at: Date | string | null;
    created_at: Date | string;
    no_longer_needed_at: Date | string | null;
  }>;
