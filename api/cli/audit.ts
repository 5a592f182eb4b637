import { type Command, InvalidArgumentError } from 'commander';
import { type HistoryEntry, historyOf } from '#api/jobs/history.ts';
import { foldReadable, viewOf } from '#api/jobs/load-job.ts';
import { openRawLog } from '#api/runtime/event-store.ts';
import { type AuditOptions, auditLog, auditStream, type ChainReport } from '#core/event-store/chain.ts';
import { typedEvents } from '#core/event-store/typed-events.ts';
import { isJobEvent } from '#core/job/events.ts';
import type { JobView } from '#core/job/view.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { instantWords } from '#core/values/time.ts';
import { getTimeZone } from '#projections/accounts/read.ts';
import { createProgress } from './progress.ts';
import { auditLine } from './report.ts';
import { print, type System, withSystem } from './system.ts';

type OpenLog = ReturnType<typeof openRawLog>;

export function addAuditCommand(program: Command): void {
  const audit = program.command('audit').description('The log of events, as evidence.');
  audit
    .command('verify')
    .option('--job <id>', 'only the history of this job', jobStream)
    .description('Recomputes the chain of hashes. Exit code 1, and the first position that does not fit.')
    .action(({ job }: { job?: StreamName }) => (job ? verifyJob(job) : verifyAll()));
  addAuditJobCommand(audit);
}

function verifyAll(): Promise<void> {
  return audited(async (log, signal) => {
    const show = createProgress(process.stderr);
    const head = Number(await log.head());
    const onProgress: AuditOptions['onProgress'] = ({ position }) => show('log', Number(position), head);
    return ['log', await auditLog(log, { gapless: log.gapless, signal, onProgress })];
  });
}

function verifyJob(stream: StreamName): Promise<void> {
  return audited(async (log, signal) => {
    const report = await auditStream(log, stream, { signal, onProgress() {} });
    if (report.checked === 0 && !report.broken) throw new Error(`There is no ${stream} in the log.`);
    return [stream, report];
  });
}

/** Prints what `work` found, under the name that it answers. */
function audited(work: (log: OpenLog, signal: AbortSignal) => Promise<[string, ChainReport]>): Promise<void> {
  return withSystem(async ({ config, pool, connectionString }: System, signal) => {
    const log = openRawLog(config, { log: pool, url: connectionString });
    try {
      const [what, report] = await work(log, signal);
      print([auditLine(what, report)]);
      return report.broken === null;
    } finally {
      await log.close();
    }
  });
}

type Options = Readonly<{ at?: Date; json?: boolean }>;

function addAuditJobCommand(audit: Command): void {
  audit
    .command('job')
    .argument('<id>', 'of the job, as in the address of its page', jobStream)
    .option('--at <instant>', 'how it stood then, such as 2026-11-20T09:00:00+11:00', instant)
    .option('--json', 'one line of JSON: { job, history }')
    .description(
      'A job as its tradie could see it, and what happened to it. Exit code 1 when there was none.',
    )
    .action((stream: StreamName, options: Options) => auditJob(stream, options));
}

function auditJob(stream: StreamName, { at, json = false }: Options): Promise<void> {
  return withSystem(async (system) => {
    const recorded = typedEvents(isJobEvent, await system.store.readStream(stream));
    const events = recorded.filter(({ metadata }) => !at || Date.parse(metadata.at) <= at.getTime());
    const details = foldReadable(events);
    if (details === null) throw new Error(`There ${at ? 'was no such job then' : 'is no such job'}.`);
    const timeZone = (await getTimeZone(system.db, details.businessId)) ?? 'UTC';
    const history = await historyOf(system, { details, events }, { timeZone });
    const job = viewOf({ ...system, now: () => new Date() }, details);
    print(json ? [JSON.stringify({ job, history })] : jobLines(job, history, timeZone));
    return true;
  });
}

function jobStream(id: string): StreamName {
  try {
    return streamName('job', id);
  } catch {
    throw new InvalidArgumentError('An id of letters, digits and dashes.');
  }
}

function instant(text: string): Date {
  const time = new Date(text);
  if (!/T.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('An instant with its offset, such as 2026-11-20T09:00:00+11:00.');
  return time;
}

/** A job and its history for people, times in the business's zone: one field a line, texts of several lines indented. */
function jobLines(job: JobView, history: readonly HistoryEntry[], timeZone: string): string[] {
  const when = (instant: string | null) => (instant === null ? '' : instantWords(instant, timeZone));
  const fields: Record<string, string | undefined> = {
    job: job.id,
    title: job.title,
    status: job.status,
    customer: job.name,
    email: job.email,
    phone: job.phone,
    address: job.location.address,
    scheduled: when(job.scheduledAt),
    notes: indented(job.notes),
  };
  const shown = Object.entries(fields).filter(([, text]) => text);
  return [
    ...shown.map(([name, text]) => `${name.padEnd(10)}${text}`),
    '',
    ...history.flatMap((entry) => [`${when(entry.at)}  ${entry.text}`, ...notesOf(entry)]),
  ];
}

/** What the notes said before and after. */
function notesOf(entry: HistoryEntry): string[] {
  if (entry.what !== 'notes') return [];
  return [`  from: ${indented(entry.from ?? '')}`, `  to:   ${indented(entry.to ?? '')}`];
}

function indented(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(10)}`);
}
