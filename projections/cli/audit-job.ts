import { type Command, InvalidArgumentError } from 'commander';
import { historyOf } from '#api/jobs/history.ts';
import { foldReadable, viewOf } from '#api/jobs/load-job.ts';
import { typedEvents } from '#core/event-store/typed-events.ts';
import { isJobEvent } from '#core/job/events.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { getTimeZone } from '#projections/accounts/read.ts';
import { jobLines } from './job-lines.ts';
import { print, withSystem } from './system.ts';

type Options = Readonly<{ at?: Date; json?: boolean }>;

export function addAuditJobCommand(audit: Command): void {
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
