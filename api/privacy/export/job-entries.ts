import { hash } from 'node:crypto';
import type { Deps, ManyRecords, RecordText } from '#api/deps.ts';
import { isUnfinished } from '#core/job/status/statuses.ts';
import type { JobDetails } from '#core/job/view.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { isPictureType } from '#core/values/uploads.ts';
import { findJobsWithFiles, type JobPlace } from '#projections/jobs/details.ts';
import type { JobRows } from '#projections/jobs/table.ts';
import type { ArchiveEntry } from './archive.ts';
import { nameInArchive, pathOf } from './job-lines.ts';
import type { Collector } from './pages.ts';
import type { ExportCounts } from './read-me.ts';

export type JobEntriesDeps = Pick<Deps, 'config' | 'db' | 'store' | 'files' | 'proof' | 'now'>;

/** The place of a job, and a look for its files, leave as much as so much of its row and line. */
const JOBS_OF_A_PLACE = 0.1;

type Walk = Readonly<{
  businessId: string;
  made: Date;
  rows: JobRows;
  places: AsyncIterable<readonly JobPlace[]>;
  records: ExportedRecords;
  counts: ExportCounts;
  collector: Collector;
}>;

/**
 * The files of all jobs, and the signed records of those that are done: of all in which no work is ahead. The records of some jobs are
 * signed while the files of the next are written.
 */
export async function* jobEntries(deps: JobEntriesDeps, walk: Walk): AsyncGenerator<ArchiveEntry> {
  const { businessId, rows, places, records, counts, collector } = walk;
  let before = Promise.resolve(nothing);
  for await (const some of batches(places, deps.proof.mostRecords)) {
    const hashes = new Map<string, string>();
    const ids = some.map(({ id }) => id);
    for (const job of await findJobsWithFiles(rows, businessId, ids))
      yield* filesOf(deps, job, counts, hashes);
    const done = some.filter(({ status }) => !isUnfinished(status)).map(({ id }) => id);
    const made = records.make(done, async (id) => hashes.get(id) ?? hashOfStored(deps, id));
    // It is thrown where it is awaited, unless the reader has gone by then.
    made.catch(() => {});
    yield* recordEntries(await before, walk);
    before = made;
    if (collector.isDueAfter(some.length * JOBS_OF_A_PLACE)) collector.collect();
  }
  yield* recordEntries(await before, walk);
}

/** Records that were made, by the ids of their jobs, and how many could not be. */
type Made = Readonly<{ texts: ReadonlyMap<string, RecordText>; missing: number }>;

const nothing: Made = { texts: new Map(), missing: 0 };

/** Signed records of the jobs of one export. */
export type ExportedRecords = Readonly<{
  make(jobIds: readonly string[], hashOf: (id: string) => Promise<string | null>): Promise<Made>;
  /** The note that they are checked against; null while there is none. */
  checkpoint(): Promise<string | null>;
}>;

/** A record leaves as much as so many rows of jobs and their lines do. */
const JOBS_OF_A_RECORD = 40;

/** Asks for what records need once there is a job that is done. */
export function exportedRecords(
  deps: JobEntriesDeps,
  businessId: string,
  collector: Collector,
): ExportedRecords {
  let opening: Promise<ManyRecords | null> | undefined;
  const onRecords = (amount: number) => {
    if (collector.isDueAfter(amount * JOBS_OF_A_RECORD)) collector.collect();
  };
  async function open(): Promise<ManyRecords | null> {
    const own = await deps.store.readStream(streamName('business', businessId));
    const last = own.at(-1);
    return last ? deps.proof.openRecords({ businessId, position: last.position, onRecords }) : null;
  }
  return {
    async make(jobIds, hashOf) {
      if (jobIds.length === 0) return nothing;
      opening ??= open();
      const texts = (await (await opening)?.make(jobIds, hashOf)) ?? nothing.texts;
      return { texts, missing: jobIds.length - texts.size };
    },
    checkpoint: async () => (await opening)?.note ?? null,
  };
}

function* recordEntries({ texts, missing }: Made, { made, counts }: Walk): Generator<ArchiveEntry> {
  counts.missingRecords += missing;
  for (const [jobId, { start, end }] of texts) {
    counts.records += 1;
    const name = `records/${nameInArchive(jobId)}.ute-record.json`;
    yield { name, at: made, isText: true, content: () => [start, end] };
  }
}

/** As many jobs as records are signed at once. */
async function* batches(places: Walk['places'], most: number): AsyncGenerator<readonly JobPlace[]> {
  for await (const page of places) {
    for (let from = 0; from < page.length; from += most) yield page.slice(from, from + most);
  }
}

/** The files of a job. One whose bytes are not there, as between an erasure's steps, is counted and left out. */
async function* filesOf(
  { files }: JobEntriesDeps,
  job: JobDetails,
  counts: ExportCounts,
  hashes: Map<string, string>,
): AsyncGenerator<ArchiveEntry> {
  for (const [n, file] of job.media.entries()) {
    const bytes = await files.get(`media/${file.id}`);
    if (bytes) {
      counts.files += 1;
      if (!isUnfinished(job.status)) hashes.set(file.id, hash('sha256', bytes, 'hex'));
      const isText = !isPictureType(file.mime);
      yield { name: pathOf(job, file, n), at: new Date(job.createdAt), isText, content: () => [bytes] };
    } else counts.missingFiles += 1;
  }
}

/** Of a file that came after the others of its job were read. */
async function hashOfStored({ files }: JobEntriesDeps, id: string): Promise<string | null> {
  const bytes = await files.get(`media/${id}`);
  return bytes && hash('sha256', bytes, 'hex');
}
