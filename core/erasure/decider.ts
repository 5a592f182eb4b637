import type { Command, Decider } from '#core/kernel/decider.ts';
import {
  ConflictError,
  IllegalTransitionError,
  InvalidInputError,
  NotFoundError,
} from '#core/kernel/errors.ts';
import { graceDays } from '#core/values/stored-details.ts';
import { type ErasureBasis, type ErasureEvent, type ErasureScope, isErasureEvent } from './events.ts';

type Of = Readonly<{ erasureId: string }>;

/** The most jobs of one request: an event holds their ids. */
export const mostJobs = 1_000;

export type RequestErasure = Command<
  'RequestErasure',
  Of & {
    scope: ErasureScope;
    basis: ErasureBasis;
    businessId: string | null;
    ids: readonly string[];
    /** An instant, not before the command's. */
    dueAt: string;
  }
>;
export type CancelErasure = Command<'CancelErasure', Of>;
/** A hold keeps what it is about. */
export type RefuseErasure = Command<'RefuseErasure', Of & { reason: 'held' }>;
/** The first step of carrying it out. */
export type BeginErasure = Command<'BeginErasure', Of>;
/** The last step: every place was looked at. */
export type CompleteErasure = Command<'CompleteErasure', Of & { counts: Readonly<Record<string, number>> }>;

export type ErasureCommand = RequestErasure | CancelErasure | RefuseErasure | BeginErasure | CompleteErasure;

export type ErasureStatus = 'requested' | 'cancelled' | 'refused' | 'begun' | 'completed';

/** An erasure; null before it is requested. */
export type ErasureState =
  | (ErasureEvent<'ErasureRequested'>['data'] & Readonly<{ status: ErasureStatus }>)
  | null;

export const begunMessage = 'This removal has begun and cannot be taken back';

/**
 * The life of an erasure: requested, and then cancelled, refused, or begun and completed. Throws NotFoundError for one that
 * was never requested, IllegalTransitionError for a step that its status does not allow, ConflictError for an id that another
 * request has, InvalidInputError for a request of nothing or of too much.
 */
export const erasureDecider: Decider<ErasureState, ErasureCommand, ErasureEvent> = {
  initialState: null,
  owns: isErasureEvent,
  evolve: evolveErasure,
  decide(command, state) {
    if (command.type === 'RequestErasure') return requestErasure(command, state);
    if (state === null || state.erasureId !== command.data.erasureId)
      throw new NotFoundError('Removal not found');
    const { erasureId, status } = state;
    switch (command.type) {
      case 'CancelErasure':
        if (status === 'cancelled') return [];
        if (status !== 'requested') throw new IllegalTransitionError(closedMessage(status));
        return [{ type: 'ErasureCancelled', data: { erasureId, cancelledAt: command.at } }];
      case 'RefuseErasure': {
        if (status === 'refused') return [];
        if (status !== 'requested') throw new IllegalTransitionError(closedMessage(status));
        const { reason } = command.data;
        return [{ type: 'ErasureRefused', data: { erasureId, reason, refusedAt: command.at } }];
      }
      case 'BeginErasure':
        if (status === 'begun' || status === 'completed') return [];
        if (status !== 'requested') throw new IllegalTransitionError(closedMessage(status));
        if (Date.parse(command.at) < Date.parse(state.dueAt))
          throw new IllegalTransitionError('This removal can still be taken back');
        return [{ type: 'ErasureBegun', data: { erasureId, begunAt: command.at } }];
      case 'CompleteErasure': {
        if (status === 'completed') return [];
        if (status !== 'begun') throw new IllegalTransitionError('This removal has not begun');
        const { counts } = command.data;
        return [{ type: 'ErasureCompleted', data: { erasureId, counts, completedAt: command.at } }];
      }
      default:
        return command satisfies never;
    }
  },
};

function requestErasure({ at, data }: RequestErasure, state: ErasureState): ErasureEvent[] {
  if (state !== null) {
    const isSame =
      state.scope === data.scope &&
      state.businessId === data.businessId &&
      state.ids.join() === data.ids.join();
    if (isSame && state.erasureId === data.erasureId) return [];
    throw new ConflictError('Another removal has this id');
  }
  if (data.ids.length === 0) throw new InvalidInputError('There is nothing to remove');
  if (data.ids.length > mostJobs) throw new InvalidInputError(`At most ${mostJobs} jobs at once`);
  if (Date.parse(data.dueAt) < Date.parse(at))
    throw new InvalidInputError('A removal is not due before it is asked for');
  return [{ type: 'ErasureRequested', data: { ...data, requestedAt: at } }];
}

const statusAfter: Readonly<Record<Exclude<ErasureEvent['type'], 'ErasureRequested'>, ErasureStatus>> = {
  ErasureCancelled: 'cancelled',
  ErasureRefused: 'refused',
  ErasureBegun: 'begun',
  ErasureCompleted: 'completed',
};

/** The erasure after one more event. */
export function evolveErasure(state: ErasureState, event: ErasureEvent): ErasureState {
  if (event.type === 'ErasureRequested') return state ?? { ...event.data, status: 'requested' };
  return state && { ...state, status: statusAfter[event.type] };
}

function closedMessage(status: ErasureStatus): string {
  if (status === 'begun' || status === 'completed') return begunMessage;
  return status === 'cancelled' ? 'This removal was taken back' : 'This removal was refused';
}

/** When a request of today is due, as an instant. */
export function dueAfterGrace(scope: ErasureScope, now: Date): string {
  return new Date(now.getTime() + graceDays[scope] * 86_400_000).toISOString();
}
