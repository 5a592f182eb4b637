import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import {
  dueAfterGrace,
  type ErasureCommand,
  type ErasureState,
  erasureDecider,
} from '#core/erasure/decider.ts';
import type { ErasureBasis, ErasureScope } from '#core/erasure/events.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { isJobEvent, type JobCommand, jobDecider } from '#core/job/job.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { planClosing, releaseClosing } from './closing.ts';
import { refuseDisputed } from './disputes/disputes.ts';
import { recordErasure } from './erasures.ts';

/** Without `everyRow` what is asked for is written down by the process that follows the log, and not at once. */
export type RequestDeps = Pick<Deps, 'store' | 'now'> & Readonly<{ everyRow?: Pool }>;

export type ErasureRequest = Readonly<{
  erasureId: string;
  scope: ErasureScope;
  basis: ErasureBasis;
  businessId: string | null;
  ids: readonly string[];
  /** Due at once, and not after the grace. */
  isNow?: boolean;
  /** Who asks, as events name their cause; the product itself when absent. */
  actor?: string;
}>;

/**
 * Asks for an erasure. Until it is carried out the customers' contact is withheld, or the public page of the business offline. The same again changes nothing. Throws
 * ConflictError while a job is in dispute, and what `erasureDecider` throws.
 */
export async function requestErasure(
  deps: RequestDeps,
  { isNow = false, actor = 'system', ...request }: ErasureRequest,
): Promise<NonNullable<ErasureState>> {
  const now = deps.now();
  await refuseDisputed(deps, request, now);
  const dueAt = isNow ? now.toISOString() : dueAfterGrace(request.scope, now);
  const command = { type: 'RequestErasure', at: now.toISOString(), data: { ...request, dueAt } } as const;
  const state = await giveErasure(deps, command, actor);
  await planErasure(deps, state, actor);
  return state;
}

/** Takes an erasure back while it has not begun: the contact is shown again. Throws what `erasureDecider` throws. */
export async function cancelErasure(deps: RequestDeps, erasureId: string, actor = 'system'): Promise<void> {
  const at = deps.now().toISOString();
  const state = await giveErasure(deps, { type: 'CancelErasure', at, data: { erasureId } }, actor);
  await releaseErasure(deps, state, actor);
}

/** Whether the customer asked for it by the link of their receipt: then it is theirs alone to take back. */
export async function isAskedByCustomer(
  { store }: Pick<RequestDeps, 'store'>,
  erasureId: string,
): Promise<boolean> {
  const recorded = await store.readStream(streamName('erasure', erasureId));
  return recorded.some(
    ({ event }) => event?.type === 'ErasureRequested' && event.data.basis === 'customer-asked',
  );
}

/** Says on each job when its customer's details go, or on a business when it is closed; in a process again, where the request did not get to it. */
export async function planErasure(
  deps: Pick<RequestDeps, 'store'>,
  {
    erasureId,
    ...erasure
  }: Pick<NonNullable<ErasureState>, 'erasureId' | 'scope' | 'businessId' | 'ids' | 'dueAt' | 'requestedAt'>,
  actor = 'system',
): Promise<void> {
  if (erasure.scope !== 'jobs') return planClosing(deps, { erasureId, ...erasure }, actor);
  for (const jobId of erasure.ids) {
    const plan = { type: 'PlanCustomerErasure', jobId, erasureId, actor } as const;
    await giveJob(deps, plan, erasure.requestedAt, { dueAt: erasure.dueAt });
  }
}

/** Takes that back. */
export async function releaseErasure(
  deps: Pick<RequestDeps, 'store' | 'now'>,
  {
    erasureId,
    scope,
    businessId,
    ids,
  }: Pick<NonNullable<ErasureState>, 'erasureId' | 'scope' | 'businessId' | 'ids'>,
  actor = 'system',
): Promise<void> {
  if (scope !== 'jobs') return releaseClosing(deps, { erasureId, scope, businessId, ids }, actor);
  for (const jobId of ids) {
    const release = { type: 'CancelCustomerErasure', jobId, erasureId, actor } as const;
    await giveJob(deps, release, deps.now().toISOString());
  }
}

/**
 * Gives a job a command of an erasure, in the name of the business that the job belongs to; answers where its stream ends then, null
 * where there is no job of this id. The same again changes nothing.
 */
export async function giveJob(
  { store }: Pick<RequestDeps, 'store'>,
  command: Readonly<{
    type: 'PlanCustomerErasure' | 'CancelCustomerErasure' | 'EraseCustomer';
    jobId: string;
    erasureId: string;
    actor?: string;
    /** Whose the job is, where that is known. */
    businessId?: string | undefined;
  }>,
  at: string,
  more: object = {},
): Promise<Position | null> {
  const { type, jobId, erasureId, actor = 'system' } = command;
  const stream = streamName('job', jobId);
  const businessId = command.businessId ?? (await businessOfJob({ store }, jobId));
  if (businessId === null) return null;
  const given = { type, at, data: { jobId, businessId, erasureId, ...more } } as JobCommand;
  const cause = {
    commandId: uuidV5(NAMESPACE, `${erasureId}/${jobId}/${type}`),
    ...{ actor, correlation: `erasure-${erasureId}` },
  };
  const { position } = await handleCommand(store, jobDecider, stream, given, cause);
  return position;
}

/** Whose a job is, from its own stream; null where there is no job of this id. */
export async function businessOfJob(
  { store }: Pick<RequestDeps, 'store'>,
  jobId: string,
): Promise<string | null> {
  const [first] = await store.readStream(streamName('job', jobId));
  return first?.event && isJobEvent(first.event) ? first.event.data.businessId : null;
}

const NAMESPACE = '3d0c6f0e-5b0a-5f43-9f4e-6a1a6f1f0c57';

/** Decides and appends a command of an erasure, and writes down where it stands. Answers the erasure as it is then. */
export async function giveErasure(
  deps: Pick<RequestDeps, 'store' | 'everyRow'>,
  command: ErasureCommand,
  actor = 'system',
): Promise<NonNullable<ErasureState>> {
  const { erasureId } = command.data;
  const cause = {
    commandId: uuidV5(NAMESPACE, `${erasureId}/${command.type}`),
    ...{ actor, correlation: `erasure-${erasureId}` },
  };
  const stream = streamName('erasure', erasureId);
  const { state, events } = await handleCommand(deps.store, erasureDecider, stream, command, cause);
  if (state === null) throw new NotFoundError('Removal not found');
  if (deps.everyRow) for (const event of events) await recordErasure(deps.everyRow, event);
  return state;
}
