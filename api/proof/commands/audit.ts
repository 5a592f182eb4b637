import { type Command, InvalidArgumentError, Option } from 'commander';
import { auditLine, createProgress } from '#api/cli/report.ts';
import { idFrom, jobIdOf, type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { type HistoryEntry, historyOf } from '#api/jobs/history.ts';
import { foldReadable, viewOf } from '#api/jobs/load-job.ts';
import { openCheckpointStore } from '#api/proof/checkpoint-store.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { openRawLog } from '#api/runtime/event-log.ts';
import { type NoteVerifier, parseVkey } from '#core/crypto/note.ts';
import { type AuditOptions, auditLog, auditStream } from '#core/event-store/chain.ts';
import { typedEvents } from '#core/event-store/codec.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';
import { isJobEvent } from '#core/job/job.ts';
import type { JobView } from '#core/job/view.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { jobReference } from '#core/values/job-form.ts';
import { instantWords } from '#core/values/time.ts';
import { getTimeZone } from '#projections/accounts/read.ts';
import {
  type CheckedCheckpoints,
  type CheckpointSource,
  checkCheckpoints,
  checkMacs,
  openingOf,
  readSources,
} from './audit-checkpoints.ts';
import { addAuditCheckCommand, addAuditRecordCommand } from './audit-record.ts';

/** As an exit code: neither that it fits nor that it does not. */
const COULD_NOT_LOOK = 2;

type OpenLog = Awaited<ReturnType<typeof openRawLog>>;

type VerifyOptions = Readonly<{
  job?: string;
  checkpoint?: readonly string[];
  witness?: readonly NoteVerifier[];
  open?: boolean;
}>;

export function addAuditCommand(program: Command): void {
  const audit = program.command('audit').description('The log of events, as evidence.');
  audit
    .command('verify')
    .addOption(
      new Option('--job <id>', 'only the history of this job, named by its id or reference')
        .argParser(idFrom)
        .conflicts('checkpoint'),
    )
    .option(
      '--checkpoint <file...>',
      'compares the log with checkpoints that were kept elsewhere (default: CHECKPOINTS_TO)',
    )
    .addOption(
      new Option(
        '--witness <vkey>',
        'of these checkpoints only those count that this witness signed; may be repeated',
      )
        .argParser((vkey, others: readonly NoteVerifier[] = []) => [...others, witnessKey(vkey)])
        .conflicts('job'),
    )
    .option(
      '--open',
      'opens every personal field and compares it with what was committed to when it was sealed',
    )
    .description(
      'Recomputes the chain of hashes. Exit code 1, and the first position that does not fit; 2 when it could not look.',
    )
    .action(({ job, checkpoint = [], witness = [], open = false }: VerifyOptions) =>
      job ? verifyJob(job, open) : verifyAll(checkpoint, witness, open),
    );
  addAuditJobCommand(audit);
  addAuditRecordCommand(audit, instant);
  addAuditCheckCommand(audit);
}

function verifyAll(
  checkpoints: readonly string[],
  witnesses: readonly NoteVerifier[],
  open: boolean,
): Promise<void> {
  return audited(COULD_NOT_LOOK, async (log, signal, system) => {
    const show = createProgress(process.stderr);
    const head = Number(await log.head());
    const onProgress: AuditOptions['onProgress'] = ({ position }) => show('log', Number(position), head);
    const looks = looksOf(system, open);
    // Before the log, which may take an hour: a file that cannot be read is named at once.
    const sources =
      checkpoints.length > 0 ? await readSources(checkpoints) : await ownCheckpoints(system.config);
    const report = await auditLog(log, { gapless: log.gapless, signal, onProgress, ...looks });
    return together([
      { lines: [auditLine('log', report)], fit: report.broken === null },
      ...looks.results('log'),
      ...(sources.length > 0
        ? [await checkCheckpoints({ ...system, log, witnesses }, sources, { signal })]
        : []),
    ]);
  });
}

/** What looks at the events beside their chains. */
function looksOf(system: System, open: boolean) {
  const looks = [checkMacs(system), ...(open ? [openingOf(system)] : [])];
  return {
    onPage: async (page: readonly RawEvent[]) => {
      for (const look of looks) await look.onPage(page);
    },
    results: (what: string) => looks.map((look) => look.result(what)),
  };
}

function together(results: readonly CheckedCheckpoints[]): CheckedCheckpoints {
  return { lines: results.flatMap(({ lines }) => lines), fit: results.every(({ fit }) => fit) };
}

/** What this installation wrote outside of its database, if it has. */
async function ownCheckpoints({ proof, backup }: Config): Promise<CheckpointSource[]> {
  if (!proof) return [];
  const store = openCheckpointStore(proof, backup);
  const text = await store.all();
  return text === null ? [] : [{ where: store.where, text }];
}

function witnessKey(vkey: string): NoteVerifier {
  const verifier = parseVkey(vkey);
  if (verifier?.kind !== 'cosignature') throw new InvalidArgumentError('Not the key of a witness.');
  return verifier;
}

function verifyJob(job: string, open: boolean): Promise<void> {
  return audited(1, async (log, signal, system) => {
    const stream = streamName('job', await jobIdOf(system, job));
    const looks = looksOf(system, open);
    const report = await auditStream(log, stream, { signal, onProgress() {}, ...looks });
    if (report.checked === 0 && !report.broken) throw new Error(`There is no ${stream} in the log.`);
    return together([
      { lines: [auditLine(stream, report)], fit: report.broken === null },
      ...looks.results(stream),
    ]);
  });
}

/** Prints what `work` found. */
function audited(
  codeOfFailure: number,
  work: (log: OpenLog, signal: AbortSignal, system: System) => Promise<CheckedCheckpoints>,
): Promise<void> {
  return withSystem(
    async (system: System, signal) => {
      const { config, pool, connectionString } = system;
      const log = await openRawLog(config, { log: pool, url: connectionString });
      try {
        const { lines, fit } = await work(log, signal, system);
        print(lines);
        return fit;
      } finally {
        await log.close();
      }
    },
    undefined,
    { codeOfFailure },
  );
}

type Options = Readonly<{ at?: Date; json?: boolean }>;

function addAuditJobCommand(audit: Command): void {
  audit
    .command('job')
    .argument('<id>', 'of the job, as in the address of its page, or its reference', idFrom)
    .option('--at <instant>', 'how it stood then, such as 2026-11-20T09:00:00+11:00', instant)
    .option('--json', 'one line of JSON: { job, history }')
    .description(
      'A job as its tradie could see it, and what happened to it. Exit code 1 when there was none.',
    )
    .action((job: string, options: Options) => auditJob(job, options));
}

function auditJob(named: string, { at, json = false }: Options): Promise<void> {
  return withSystem(async (system) => {
    const stream = streamName('job', await jobIdOf(system, named));
    const recorded = typedEvents(isJobEvent, await system.store.readStream(stream));
    const events = recorded.filter(({ metadata }) => !at || Date.parse(metadata.at) <= at.getTime());
    const details = foldReadable(events);
    if (details === null) throw new Error(`There ${at ? 'was no such job then' : 'is no such job'}.`);
    const timeZone = (await getTimeZone(system.db, details.businessId)) ?? 'UTC';
    const history = await historyOf(system, { details, events }, { timeZone });
    const job = viewOf(system, details);
    print(json ? [JSON.stringify({ job, history })] : jobLines(job, history, timeZone));
    return true;
  });
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
    ref: jobReference(job.id),
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
