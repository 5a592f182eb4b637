import { type Command, InvalidArgumentError } from 'commander';
import { idFrom, jobIdOf, type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { isInstant } from '#api/jobs/scheduled-time.ts';
import { businessOfJob } from '#api/privacy/request-erasure.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { type RecordedEvent, START } from '#core/event-store/port.ts';
import { isJobEvent, type JobCommand, jobDecider } from '#core/job/job.ts';
import { disputeAfter, isDisputed } from '#core/job/retention/dispute.ts';
import type { Dispute } from '#core/job/retention/events.ts';
import { InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';

/** Events that are read at once. */
const PAGE = 1_000;

const kinds = ['job', 'business'] as const;
type Kind = (typeof kinds)[number];
/** What a hold is on: one job, or a business with all its jobs. */
type Kept = Readonly<{ kind: Kind; id: string }>;

export function addHoldCommand(program: Command): void {
  const hold = program
    .command('hold')
    .description('Keeps a job, or a whole business, from being erased while that is needed.');
  hold
    .command('add')
    .argument('<kind>', kinds.join(' or '), kindIn)
    .argument(
      '<id>',
      'of it, or the reference of a job; that of a business: ute forget business <slug> --dry-run',
      idFrom,
    )
    .requiredOption('--until <date>', 'the first day on which it may go, such as 2027-05-20', day)
    .option('--reason <words>', 'what it is about', '')
    .description('From now on, for twelve months at most; again: until another day.')
    .action((kind: Kind, id: string, { until, reason }: { until: string; reason: string }) =>
      withSystem((system) => add(system, { kind, id }, { until, reason })),
    );
  hold
    .command('end')
    .argument('<kind>', kinds.join(' or '), kindIn)
    .argument(
      '<id>',
      'of it, or the reference of a job; that of a business: ute forget business <slug> --dry-run',
      idFrom,
    )
    .description('It is over: what was to be erased meanwhile is due.')
    .action((kind: Kind, id: string) => withSystem((system) => end(system, { kind, id })));
  hold
    .command('list')
    .description('What is kept, with the day until which.')
    .action(() => withSystem(list));
}

async function add(system: System, kept: Kept, data: NonNullable<Dispute>): Promise<boolean> {
  const id = kept.kind === 'job' ? await jobIdOf(system, kept.id) : kept.id;
  if (kept.kind === 'job') await giveJob(system, id, { type: 'OpenJobDispute', data });
  else await giveBusiness(system, id, { type: 'PlaceBusinessHold', data });
  print([`${kept.kind} ${id}: nothing is erased until ${data.until.slice(0, 10)}`]);
  return true;
}

async function end(system: System, { kind, id: named }: Kept): Promise<boolean> {
  const id = kind === 'job' ? await jobIdOf(system, named) : named;
  if (kind === 'job') await giveJob(system, id, { type: 'CloseJobDispute', data: {} });
  else await giveBusiness(system, id, { type: 'EndBusinessHold', data: {} });
  print([`${kind} ${id}: kept no more`]);
  return true;
}

const causedBy = () => ({ commandId: crypto.randomUUID(), actor: 'system', correlation: 'hold' });

async function giveJob(
  { store }: System,
  jobId: string,
  { type, data }: Readonly<{ type: 'OpenJobDispute' | 'CloseJobDispute'; data: object }>,
): Promise<void> {
  const businessId = await businessOfJob({ store }, jobId);
  if (businessId === null) throw new Error('There is no such job.');
  const command = { type, at: new Date().toISOString(), data: { jobId, businessId, ...data } } as JobCommand;
  await handleCommand(store, jobDecider, streamName('job', jobId), command, causedBy()).catch(inWords);
}

async function giveBusiness(
  { store }: System,
  businessId: string,
  { type, data }: Readonly<{ type: 'PlaceBusinessHold' | 'EndBusinessHold'; data: object }>,
): Promise<void> {
  const command = { type, at: new Date().toISOString(), data: { businessId, ...data } } as BusinessCommand;
  const stream = streamName('business', businessId);
  await handleCommand(store, businessDecider, stream, command, causedBy()).catch(inWords);
}

function inWords(error: unknown): never {
  if (error instanceof InvalidInputError) throw new Error(Object.values(error.fields).join('\n'));
  if (error instanceof NotFoundError) throw new Error('There is no such business.');
  throw error;
}

/** From the log itself: holds are few, and no read model has them. */
async function list({ store }: System, signal: AbortSignal): Promise<boolean> {
  const kept = new Map<string, Dispute>();
  for (let after = START; ; ) {
    const events = await store.readAll(after, PAGE);
    signal.throwIfAborted();
    for (const recorded of events) keep(kept, recorded);
    const last = events.at(-1);
    if (!last || events.length < PAGE) break;
    after = last.position;
  }
  const now = new Date().toISOString();
  const open = [...kept].filter(([, one]) => isDisputed(one, now));
  print(open.map(([what, one]) => `${what}  until ${one?.until.slice(0, 10)}  ${one?.reason}`));
  if (open.length === 0) print(['nothing is kept']);
  return true;
}

function keep(kept: Map<string, Dispute>, { event }: RecordedEvent): void {
  if (event?.type === 'BusinessHoldPlaced') {
    const { businessId, until, reason } = event.data;
    kept.set(`business ${businessId}`, { until, reason });
  }
  if (event?.type === 'BusinessHoldEnded') kept.delete(`business ${event.data.businessId}`);
  if (!event || !isJobEvent(event) || !event.type.startsWith('JobDispute')) return;
  const what = `job ${event.data.jobId}`;
  kept.set(what, disputeAfter(kept.get(what) ?? null, event));
}

function kindIn(raw: string): Kind {
  const kind = kinds.find((one) => one === raw);
  if (!kind) throw new InvalidArgumentError(`It is ${kinds.join(' or ')}.`);
  return kind;
}

/** A day that exists (2027-02-30 does not), as the instant at which it begins in UTC. */
function day(raw: string): string {
  const at = `${raw}T00:00:00.000Z`;
  if (!isInstant(at)) throw new InvalidArgumentError('It is no date.');
  return at;
}
