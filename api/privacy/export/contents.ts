import { loadBusiness } from '#api/accounts/load-account.ts';
import { listSessions } from '#api/accounts/sign-in/sessions.ts';
import { notificationsOf } from '#api/businesses/notifications.ts';
import type { Deps, Session } from '#api/deps.ts';
import type { Position } from '#core/event-store/port.ts';
import type { JobDetails } from '#core/job/view.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { isPictureType } from '#core/values/uploads.ts';
import { getProfile } from '#projections/accounts/read.ts';
import {
  findJobsWithFiles,
  type JobsAfter,
  listJobDetails,
  listJobPlaces,
  listScheduledDetails,
} from '#projections/jobs/details.ts';
import { findCheckpoint } from '#projections/proof/read.ts';
import { type ArchiveEntry, archiveOf, type WrittenEntry } from './archive.ts';
import { eventLine, eventSchemas, exportedCategories, jobEventLines } from './event-lines.ts';
import {
  BYTE_ORDER_MARK,
  calendarEnd,
  calendarEvent,
  calendarHead,
  exportedJob,
  jobLine,
  jobSchema,
  jobsHead,
  pathOf,
} from './job-lines.ts';
import { accountReadMe, type ExportCounts, readMe } from './read-me.ts';

export type ExportDeps = Pick<Deps, 'config' | 'db' | 'rowsOf' | 'store' | 'files' | 'now' | 'logger'>;

/** Whose data, in which IANA zone its times are written, and where the log ended as the download began. */
export type ExportOf = Pick<Session, 'accountId' | 'businessId'> &
  Readonly<{ timeZone: string; from: Position }>;

/** Jobs in memory at once. */
const PAGE = 100;
/** After so many jobs what they left is collected: by itself the heap grows to several times what is in use. */
const COLLECT_EVERY = 1_000;
/** So many events leave about as much as the row of a job and its line do. */
const EVENTS_OF_A_JOB = 3;

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
  const rows = deps.rowsOf(whose.businessId);
  const walk = { businessId: whose.businessId, until: made };
  const jobs = () => ahead(pages((after) => listJobDetails(rows, { ...walk, after }, PAGE)));
  const scheduled = () => ahead(pages((after) => listScheduledDetails(rows, { ...walk, after }, PAGE)));
  const places = () => ahead(pages((after) => listJobPlaces(rows, { ...walk, after }, PAGE)));

  const collect = collector();
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    yield text('business.json', () => businessJson(deps, whose));
    yield text('jobs.csv', async function* () {
      yield BYTE_ORDER_MARK + jobsHead;
      for await (const page of jobs()) {
        yield page.map((job) => jobLine(exportedJob(job), whose.timeZone)).join('');
        collect(page.length);
      }
    });
    yield text('jobs.ndjson', async function* () {
      for await (const page of jobs()) {
        const exported = page.map(exportedJob);
        counts.jobs += page.length;
        counts.withheld += exported.filter(({ phone, erasedAt }) => phone === undefined && !erasedAt).length;
        yield linesOf(exported);
        collect(page.length);
      }
    });
    yield text('events.ndjson', () =>
      events(deps, whose, places(), (lines) => {
        counts.events += lines;
        collect(lines / EVENTS_OF_A_JOB);
      }),
    );
    yield text('schema/jobs.json', () => [json(jobSchema())]);
    for (const category of exportedCategories) {
      yield text(`schema/${category}-events.json`, () => [json(eventSchemas(category))]);
    }
    yield text('schedule.ics', async function* () {
      const { host } = new URL(deps.config.publicOrigin);
      yield calendarHead;
      for await (const page of scheduled()) {
        const planned = page.flatMap((job) => calendarEvent(exportedJob(job), host, made) ?? []);
        counts.scheduled += planned.length;
        yield planned.join('');
        collect(page.length);
      }
      yield calendarEnd;
    });
    for await (const page of places()) {
      const ids = page.map(({ id }) => id);
      for (const job of await findJobsWithFiles(rows, whose.businessId, ids))
        yield* filesOf(deps, job, counts);
    }
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

/** What is stored about the person who signs in, as a ZIP that is made while it is read: nothing of jobs and customers. */
export function accountArchive(
  deps: ExportDeps,
  { accountId, timeZone }: ExportOf,
): ReadableStream<Uint8Array> {
  const made = deps.now();
  const text = (name: string, content: ArchiveEntry['content']): ArchiveEntry => {
    return { name, at: made, isText: true, content };
  };
  let count = 0;
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    yield text('account.json', async function* () {
      const [profile, notifications, sessions] = await Promise.all([
        getProfile(deps.db, accountId),
        notificationsOf(deps, accountId),
        listSessions(deps.db, accountId, made),
      ]);
      // The id of a session is what it is known by to its browser alone.
      const signedIn = sessions.map(({ id: _, ...session }) => session);
      yield json({ account: profile?.user ?? null, notifications, sessions: signedIn });
    });
    yield text('events.ndjson', async function* () {
      const lines = (await deps.store.readStream(streamName('account', accountId))).map(eventLine);
      count = lines.length;
      yield linesOf(lines);
    });
    yield text('schema/account-events.json', () => [json(eventSchemas('account'))]);
    yield text('README.html', () => [accountReadMe(count, made, timeZone)]);
  }
  const manifest = (written: readonly WrittenEntry[]) =>
    text('manifest.json', () => [
      json({ format: 'ute-account-1', account: accountId, made, entries: written }),
    ]);
  return archiveOf(entries(), manifest);
}

/** All jobs of a business that had come by a moment, oldest first, or a part of them, page by page. */
async function* pages<Job extends JobsAfter>(
  read: (after: JobsAfter | null) => Promise<Job[]>,
): AsyncGenerator<readonly Job[]> {
  for (let after: JobsAfter | null = null; ; ) {
    const page: Job[] = await read(after);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1) ?? after;
  }
}

async function* events(
  { store }: ExportDeps,
  { businessId, accountId }: ExportOf,
  places: AsyncIterable<readonly JobsAfter[]>,
  onLines: (lines: number) => void,
): AsyncGenerator<string> {
  const own: StreamName[] = [
    streamName('business', businessId),
    streamName('account', accountId),
    streamName('enquiryForm', businessId),
  ];
  for (const stream of own) {
    const lines = (await store.readStream(stream)).map(eventLine);
    yield linesOf(lines);
    onLines(lines.length);
  }
  const read = async function* () {
    for await (const page of places) {
      const streams = page.map(({ id }) => streamName('job', id));
      yield { streams, recorded: await store.readStreams(streams) };
    }
  };
  for await (const { streams, recorded } of ahead(read())) {
    const lines = streams.flatMap((stream) => jobEventLines(recorded.get(stream) ?? [], businessId));
    yield linesOf(lines);
    onLines(lines.length);
  }
}

/** The same, the next of them read while one is being written: the database works meanwhile. */
async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // It is thrown where it is awaited, unless the reader has gone by then.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined);
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

/** To be called with how many jobs were written: waits for a collection once there are enough. */
function collector(): (jobs: number) => void {
  let since = 0;
  return (jobs) => {
    since += jobs;
    if (since < COLLECT_EVERY) return;
    since = 0;
    Bun.gc(true);
  };
}

function linesOf(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
