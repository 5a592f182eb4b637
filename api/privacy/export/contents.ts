import { loadBusiness } from '#api/accounts/load-account.ts';
import { listSessions } from '#api/accounts/sessions.ts';
import { notificationsOf } from '#api/businesses/notifications.ts';
import type { Deps, Session } from '#api/deps.ts';
import type { Position } from '#core/event-store/port.ts';
import { jobCardView } from '#core/job/view.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import type { Region } from '#core/values/region.ts';
import { getProfile } from '#projections/accounts/read.ts';
import {
  type JobsAfter,
  listJobDetails,
  listJobPlaces,
  listScheduledCards,
} from '#projections/jobs/details.ts';
import { type ArchiveEntry, archiveOf } from './archive.ts';
import { eventLine, eventSchemas, exportedCategories, jobEventLines } from './event-lines.ts';
import { exportedRecords, type JobEntriesDeps, jobEntries } from './job-entries.ts';
import {
  BYTE_ORDER_MARK,
  calendarEnd,
  calendarEvent,
  calendarHead,
  exportedJob,
  jobLine,
  jobSchema,
  jobsHead,
} from './job-lines.ts';
import { ahead, type Collector, createCollector, pages } from './pages.ts';
import { accountReadMe, type ExportCounts, readMe } from './read-me.ts';
import type { WrittenEntry } from './written-entries.ts';

export type ExportDeps = JobEntriesDeps & Pick<Deps, 'rowsOf'>;

/** Whose data, in which IANA zone its times are written, and where the log ended as the download began. */
export type ExportOf = Pick<Session, 'accountId' | 'businessId'> &
  Readonly<{ timeZone: string; region: Region; from: Position }>;

/** Jobs in memory at once, and their places, which are small. */
const PAGE = 100;
const PLACES = 1_000;
/** So many events leave about as much as the row of a job and its line do. */
const EVENTS_OF_A_JOB = 1.5;

/**
 * Everything that a business has stored, as a ZIP that is made while it is read. No snapshot: jobs that come after its begin
 * are left out, and what happens to the others meanwhile may be in it.
 */
export function exportArchive(deps: ExportDeps, whose: ExportOf): ReadableStream<Uint8Array> {
  const made = deps.now();
  const counts: ExportCounts = {
    ...{ jobs: 0, withheld: 0, events: 0, scheduled: 0, files: 0, missingFiles: 0 },
    ...{ records: 0, missingRecords: 0 },
  };
  const text = (name: string, content: ArchiveEntry['content']): ArchiveEntry => {
    return { name, at: made, isText: true, content };
  };
  const rows = deps.rowsOf(whose.businessId);
  const walk = { businessId: whose.businessId, until: made };
  const collector = createCollector();
  const inPages = <Job extends JobsAfter>(read: Parameters<typeof pages<Job>>[1]) =>
    ahead(pages(PAGE, read), collector, ({ length }) => length);
  const jobs = () => inPages((after, size) => listJobDetails(rows, { ...walk, after }, size));
  const scheduled = () => inPages((after, size) => listScheduledCards(rows, { ...walk, after }, size));
  const places = () => pages(PLACES, (after, size) => listJobPlaces(rows, { ...walk, after }, size));

  async function* entries(): AsyncGenerator<ArchiveEntry> {
    yield text('business.json', () => businessJson(deps, whose));
    yield text('jobs.csv', async function* () {
      yield BYTE_ORDER_MARK + jobsHead;
      for await (const page of jobs()) {
        yield page.map((job) => jobLine(exportedJob(job), whose)).join('');
      }
    });
    yield text('jobs.ndjson', async function* () {
      for await (const page of jobs()) {
        const exported = page.map(exportedJob);
        counts.jobs += page.length;
        counts.withheld += exported.filter(({ phone, erasedAt }) => phone === undefined && !erasedAt).length;
        yield linesOf(exported);
      }
    });
    yield text('events.ndjson', async function* () {
      for await (const lines of ownEvents(deps, whose)) {
        counts.events += lines.length;
        yield linesOf(lines);
      }
      const read = ahead(jobEvents(deps, places()), collector, ({ events }) => events / EVENTS_OF_A_JOB);
      for await (const { streams, recorded } of read) {
        const lines = streams.flatMap((one) => jobEventLines(recorded.get(one) ?? [], whose.businessId));
        counts.events += lines.length;
        yield linesOf(lines);
      }
    });
    yield text('schema/jobs.json', () => [json(jobSchema())]);
    for (const category of exportedCategories) {
      yield text(`schema/${category}-events.json`, () => [json(eventSchemas(category, collector))]);
    }
    yield text('schedule.ics', async function* () {
      const { host } = new URL(deps.config.publicOrigin);
      const at = { host, made, timeZone: whose.timeZone };
      yield calendarHead;
      for await (const page of scheduled()) {
        const planned = page.flatMap((job) => calendarEvent(jobCardView(job), at) ?? []);
        counts.scheduled += planned.length;
        yield planned.join('');
      }
      yield calendarEnd;
    });
    const { businessId } = whose;
    const records = exportedRecords(deps, businessId, collector);
    yield* jobEntries(deps, { businessId, made, rows, places: places(), records, counts, collector });
    const checkpoint = (await records.checkpoint()) ?? (await deps.proof.newestNote());
    if (checkpoint) yield text('checkpoint.txt', () => [checkpoint]);
    const checkPage = new URL('/check', deps.config.publicOrigin).href;
    yield text('README.html', () => [readMe(counts, { made, timeZone: whose.timeZone, checkPage })]);
  }

  const manifest = (written: Iterable<WrittenEntry>) =>
    text('manifest.json', async function* () {
      const log = { from: whose.from, to: await deps.store.head() };
      yield* manifestOf(
        { format: 'ute-export-1', business: whose.businessId, made, log, counts },
        written,
        collector,
      );
    });
  return archiveOf(entries(), manifest, whose.businessId);
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
  const collector = createCollector();
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
    yield text('schema/account-events.json', () => [json(eventSchemas('account', collector))]);
    yield text('README.html', () => [accountReadMe(count, made, timeZone)]);
  }
  const manifest = (written: Iterable<WrittenEntry>) =>
    text('manifest.json', () =>
      manifestOf({ format: 'ute-account-1', account: accountId, made }, written, collector),
    );
  return archiveOf(entries(), manifest, accountId);
}

/** The events of the business itself, stream by stream. */
async function* ownEvents({ store }: ExportDeps, { businessId, accountId }: ExportOf) {
  const own: StreamName[] = [
    streamName('business', businessId),
    streamName('account', accountId),
    streamName('enquiryForm', businessId),
  ];
  for (const stream of own) yield (await store.readStream(stream)).map(eventLine);
}

/** Those of its jobs, page by page. */
async function* jobEvents({ store }: ExportDeps, places: AsyncIterable<readonly JobsAfter[]>) {
  for await (const page of places) {
    for (let from = 0; from < page.length; from += PAGE) {
      const streams = page.slice(from, from + PAGE).map(({ id }) => streamName('job', id));
      const recorded = await store.readStreams(streams);
      const events = recorded.values().reduce((sum, { length }) => sum + length, 0);
      yield { streams, recorded, events };
    }
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

/** Lines of entries that are written at once, and of how many jobs they leave as much. */
const ENTRIES = 100;
const JOBS_OF_ENTRIES = 10;

/** What an archive says of itself, and its entries, each in a line: there may be a hundred thousand. */
function* manifestOf(head: object, entries: Iterable<WrittenEntry>, collector: Collector): Generator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "entries": [`;
  let lines: string[] = [];
  let between = '\n    ';
  for (const entry of entries) {
    if (lines.push(JSON.stringify(entry)) < ENTRIES) continue;
    yield between + lines.join(',\n    ');
    between = ',\n    ';
    lines = [];
    if (collector.isDueAfter(JOBS_OF_ENTRIES)) collector.collect();
  }
  yield `${lines.length > 0 ? between : ''}${lines.join(',\n    ')}\n  ]\n}\n`;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function linesOf(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
