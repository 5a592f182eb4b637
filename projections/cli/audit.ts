import { type Command, InvalidArgumentError } from 'commander';
import { openRawLog } from '#api/process/event-store.ts';
import { type AuditOptions, auditLog, auditStream, type ChainReport } from '#core/event-store/chain.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { createProgress } from '#projections/progress.ts';
import { auditLine } from '#projections/report.ts';
import { addAuditJobCommand } from './audit-job.ts';
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

function jobStream(id: string): StreamName {
  try {
    return streamName('job', id);
  } catch {
    throw new InvalidArgumentError('An id of letters, digits and dashes.');
  }
}
