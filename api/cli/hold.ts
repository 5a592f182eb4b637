import { type Command, InvalidArgumentError } from 'commander';
import { businessOfJob } from '#api/privacy/request-erasure.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { START } from '#core/event-store/port.ts';
import type { JobCommand } from '#core/job/commands.ts';
import { jobDecider } from '#core/job/decider.ts';
import { type Dispute, disputeAfter, isDisputed } from '#core/job/dispute.ts';
import { isJobEvent } from '#core/job/events.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { print, type System, withSystem } from './system.ts';

/** Events that are read at once. */
const PAGE = 1_000;

export function addHoldCommand(program: Command): void {
  const hold = program
    .command('hold')
    .description('Keeps what is known of a job while there is a dispute about it: nothing of it is erased.');
  hold
    .command('add')
    .argument('<job>', 'the id of the job')
    .requiredOption('--until <date>', 'the first day on which it may go, such as 2027-05-20', day)
    .option('--reason <words>', 'what it is about', '')
    .description('From now on, for twelve months at most; again: until another day.')
    .action((id: string, { until, reason }: { until: string; reason: string }) =>
      withSystem((system) => add(system, id, { until, reason })),
    );
  hold
    .command('end')
    .argument('<job>', 'the id of the job')
    .description('The dispute is over: what was to be erased meanwhile is due.')
    .action((id: string) => withSystem((system) => end(system, id)));
  hold
    .command('list')
    .description('The jobs that are in dispute, with the day until which.')
    .action(() => withSystem(list));
}

async function add(system: System, id: string, data: NonNullable<Dispute>): Promise<boolean> {
  await give(system, id, { type: 'OpenJobDispute', data });
  print([`${id}: nothing is erased until ${data.until.slice(0, 10)}`]);
  return true;
}

async function end(system: System, id: string): Promise<boolean> {
  await give(system, id, { type: 'CloseJobDispute', data: {} });
  print([`${id}: in dispute no more`]);
  return true;
}

async function give(
  { store }: System,
  jobId: string,
  { type, data }: Readonly<{ type: 'OpenJobDispute' | 'CloseJobDispute'; data: object }>,
): Promise<void> {
  const businessId = await businessOfJob({ store }, jobId);
  if (businessId === null) throw new Error('There is no such job.');
  const command = { type, at: new Date().toISOString(), data: { jobId, businessId, ...data } } as JobCommand;
  const cause = { commandId: crypto.randomUUID(), actor: 'system', correlation: 'hold' };
  await handleCommand(store, jobDecider, streamName('job', jobId), command, cause).catch((error: unknown) => {
    throw error instanceof InvalidInputError ? new Error(Object.values(error.fields).join('\n')) : error;
  });
}

/** From the log itself: disputes are few, and no read model has them. */
async function list({ store }: System, signal: AbortSignal): Promise<boolean> {
  const disputes = new Map<string, Dispute>();
  for (let after = START; ; ) {
    const events = await store.readAll(after, PAGE);
    signal.throwIfAborted();
    for (const { event } of events) {
      if (!event || !isJobEvent(event) || !event.type.startsWith('JobDispute')) continue;
      const { jobId } = event.data;
      disputes.set(jobId, disputeAfter(disputes.get(jobId) ?? null, event));
    }
    const last = events.at(-1);
    if (!last || events.length < PAGE) break;
    after = last.position;
  }
  const now = new Date().toISOString();
  const open = [...disputes].filter(([, dispute]) => isDisputed(dispute, now));
  print(open.map(([jobId, dispute]) => `${jobId}  until ${dispute?.until.slice(0, 10)}  ${dispute?.reason}`));
  if (open.length === 0) print(['no job is in dispute']);
  return true;
}

/** A day, as the instant at which it begins in UTC. */
function day(raw: string): string {
  const at = new Date(`${raw}T00:00:00.000Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(raw) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('It is no date.');
  return at.toISOString();
}
