import { loadBusiness } from '#api/accounts/load-account.ts';
import { notificationsOf } from '#api/businesses/notifications.ts';
import type { Deps, Session } from '#api/deps.ts';
import type { Position } from '#core/event-store/port.ts';
import type { JobDetails } from '#core/job/view.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { isPictureType } from '#core/values/uploads.ts';
import { getProfile } from '#projections/accounts/read.ts';
import { type JobsAfter, listJobDetails } from '#projections/jobs/details.ts';
import { findCheckpoint } from '#projections/proof/read.ts';
import { type ArchiveEntry, archiveOf, type WrittenEntry } from './archive.ts';
import { calendarEnd, calendarEvent, calendarHead } from './calendar.ts';
import { BYTE_ORDER_MARK } from './csv.ts';
import { eventLine, eventSchemas, exportedCategories, jobEventLines } from './event-lines.ts';
import { exportedJob, jobLine, jobsHead, pathOf } from './job-lines.ts';
import { type ExportCounts, readMe } from './read-me.ts';

export type ExportDeps = Pick<Deps, 'config' | 'db' | 'rowsOf' | 'store' | 'files' | 'now' | 'logger'>;

/** Whose data, in which IANA zone its times are written, and where the log ended as the download began. */
export type ExportOf = Pick<Session, 'accountId' | 'businessId'> &
  Readonly<{ timeZone: string; from: Position }>;

/** Jobs in memory at once, and streams that are read at once. */
const [PAGE, STREAMS] = [200, 8];

/**
 * Everything that a business has stored, as a ZIP that is made while it is read. No snapshot: jobs that come after its begin
 * are left out, and what happens to the others meanwhile may be in it.
 */
export function exportArchive(deps: ExportDeps, whose: ExportOf): ReadableStream<Uint8Array> {
  const made = deps.now();
  const counts: ExportCounts = { jobs: 0, withheld: 0, events: 0, scheduled: 0, files: 0, missingFiles: 0 };
  const text = (name: string, content: ArchiveEntry['content']): ArchiveEntry => {
    return { name, at: made, isText: true, content };
  };
  const jobs = () => jobsOf(deps, whose.businessId, made);

  async function* entries(): AsyncGenerator<ArchiveEntry> {
    yield text('business.json', () => businessJson(deps, whose));
    yield text('jobs.csv', async function* () {
      yield BYTE_ORDER_MARK + jobsHead;
      for await (const page of jobs())
        yield page.map((job) => jobLine(exportedJob(job), whose.timeZone)).join('');
    });
    yield text('jobs.ndjson', async function* () {
      for await (const page of jobs()) {
        const exported = page.map(exportedJob);
        counts.jobs += page.length;
        counts.withheld += exported.filter(({ phone, erasedAt }) => phone === undefined && !erasedAt).length;
        yield linesOf(exported);
      }
    });
    yield text('events.ndjson', () => events(deps, whose, jobs(), counts));
    for (const category of exportedCategories) {
      yield text(`schema/${category}-events.json`, () => [json(eventSchemas(category))]);
    }
    yield text('schedule.ics', async function* () {
      const { host } = new URL(deps.config.publicOrigin);
      yield calendarHead;
      for await (const page of jobs()) {
        const planned = page.flatMap((job) => calendarEvent(exportedJob(job), host, made) ?? []);
        counts.scheduled += planned.length;
        yield planned.join('');
      }
      yield calendarEnd;
    });
    for await (const page of jobs()) for (const job of page) yield* filesOf(deps, job, counts);
    const checkpoint = await findCheckpoint(deps.db);
    if (checkpoint) yield text('checkpoint.txt', () => [checkpoint.note]);
    yield text('README.html', () => [readMe(counts, made, whose.timeZone)]);
  }

  const manifest = (written: readonly WrittenEntry[]) =>
    text('manifest.json', async function* () {
      const log = { from: whose.from, to: await deps.store.head() };
      yield json({ format: 'ute-export-1', business: whose.businessId, made, log, counts, entries: written });
    });
  return archiveOf(entries(), manifest);
}

/** All jobs of a business that had come by a moment, page by page, oldest first. */
async function* jobsOf(deps: ExportDeps, businessId: string, until: Date): AsyncGenerator<JobDetails[]> {
  const rows = deps.rowsOf(businessId);
  let after: JobsAfter | null = null;
  do {
    const page: JobDetails[] = await listJobDetails(rows, { businessId, until, after }, PAGE);
    if (page.length > 0) yield page;
    after = page.length < PAGE ? null : (page.at(-1) ?? null);
  } while (after);
}

async function* events(
  { store }: ExportDeps,
  { businessId, accountId }: ExportOf,
  jobs: AsyncIterable<JobDetails[]>,
  counts: ExportCounts,
): AsyncGenerator<string> {
  const own: StreamName[] = [
    streamName('business', businessId),
    streamName('account', accountId),
    streamName('enquiryForm', businessId),
  ];
  for (const stream of own) {
    const lines = (await store.readStream(stream)).map(eventLine);
    counts.events += lines.length;
    yield linesOf(lines);
  }
  for await (const page of jobs) {
    for (let start = 0; start < page.length; start += STREAMS) {
      const some = page.slice(start, start + STREAMS);
      const recorded = await Promise.all(some.map(({ id }) => store.readStream(streamName('job', id))));
      const lines = recorded.flatMap((stream) => jobEventLines(stream, businessId));
      counts.events += lines.length;
      yield linesOf(lines);
    }
  }
}

/** The files of a job. One whose bytes are not there, as between an erasure's steps, is counted and left out. */
async function* filesOf(
  { files }: ExportDeps,
  job: JobDetails,
  counts: ExportCounts,
): AsyncGenerator<ArchiveEntry> {
  for (const [n, file] of job.media.entries()) {
    const bytes = await files.get(`media/${file.id}`);
    if (bytes) {
      counts.files += 1;
      const isText = !isPictureType(file.mime);
      yield { name: pathOf(job, file, n), at: new Date(job.createdAt), isText, content: () => [bytes] };
    } else counts.missingFiles += 1;
  }
}

async function* businessJson(deps: ExportDeps, { businessId, accountId }: ExportOf): AsyncGenerator<string> {
  const [profile, business, notifications] = await Promise.all([
    getProfile(deps.db, accountId),
    loadBusiness(deps, businessId),
    notificationsOf(deps, accountId),
  ]);
  yield json({ account: profile?.user ?? null, business, notifications });
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function linesOf(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
