import { finishContactChange } from '#api/accounts/contact/finish-contact-change.ts';
import { settleAddress } from '#api/businesses/addresses.ts';
import { recordErasure } from '#api/privacy/erasures.ts';
import { planErasure, releaseErasure } from '#api/privacy/request-erasure.ts';
import { finishRegistration } from '#api/registration/finish-registration.ts';
import { erasureDecider } from '#core/erasure/decider.ts';
import { isErasureEvent } from '#core/erasure/events.ts';
import { typedEvents } from '#core/event-store/codec.ts';
import { fold } from '#core/kernel/decider.ts';
import { DomainError } from '#core/kernel/errors.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import type { FollowingProcess } from '#projections/runtime/follow/checkpoint.ts';
import { outbox } from './outbox.ts';
import { checkpointOf, followerOf, type Process, type ProcessDeps } from './process.ts';

/**
 * Writes down which erasures there are and how far they have come, and says on each job what is to become of its customer's details,
 * and on a business whether it is to be closed, wherever the request did not get to that, in the name of who asked. What is due is carried out by the chore `carry-out-erasures`.
 */
const erasures: Process = {
  name: 'erasures',
  follows: ['ErasureRequested', 'ErasureCancelled', 'ErasureRefused', 'ErasureBegun', 'ErasureCompleted'],
  begins: 'at the start',
  async step(deps, events, db) {
    for (const { event, stream, metadata } of events) {
      const { actor } = metadata;
      if (!event || !isErasureEvent(event)) continue;
      await recordErasure(db, event);
      if (event.type === 'ErasureRequested') await planErasure(deps, event.data, actor);
      if (event.type === 'ErasureCancelled' || event.type === 'ErasureRefused')
        await releaseErasure(deps, await erasureOf(deps, stream), actor);
    }
  },
};

async function erasureOf({ store }: Pick<ProcessDeps, 'store'>, stream: StreamName) {
  const events = typedEvents(isErasureEvent, await store.readStream(stream));
  const state = fold(
    erasureDecider,
    events.flatMap(({ event }) => event ?? []),
  );
  if (state === null) throw new TypeError('an erasure begins with its request');
  return state;
}

/**
 * Finishes every change of email or mobile that is in the log, wherever the request that made it did not get to it: the
 * reservations are settled, and what showed the old one follows.
 */
const finishContactChanges: Process = {
  name: 'finish-contact-changes',
  follows: ['AccountEmailChanged', 'AccountPhoneChanged'],
  begins: 'now',
  async step(deps, events) {
    for (const { event, metadata } of events) {
      if (event?.type !== 'AccountEmailChanged' && event?.type !== 'AccountPhoneChanged') continue;
      await finishContactChange(deps, { accountId: event.data.accountId, changeId: metadata.causation });
    }
  },
};

/**
 * Finishes what completed registrations decided, wherever the API did not get to it. What has gone to another account
 * meanwhile is logged and left: no replay would help.
 */
export const finishRegistrations: Process = {
  name: 'finish-registrations',
  follows: ['RegistrationCompleted'],
  begins: 'at the start',
  async step(deps, events) {
    for (const { event, metadata, stream } of events) {
      if (event?.type !== 'RegistrationCompleted') continue;
      try {
        await finishRegistration(deps, event.data, metadata);
        deps.messages?.notify();
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        deps.logger.error({ event: 'registration-cannot-finish', stream, reason: error.name });
      }
    }
  },
};

/** Keeps for every business the public address that it has taken, and gives up the one before, likewise. */
const settleAddresses: Process = {
  name: 'settle-addresses',
  follows: ['PublicAddressChanged'],
  begins: 'at the start',
  async step(deps, events) {
    const moved = events.flatMap(({ event }) =>
      event?.type === 'PublicAddressChanged' ? event.data.businessId : [],
    );
    for (const businessId of new Set(moved)) await settleAddress(deps, businessId);
  },
};

/** Everything that follows the log and acts. What the clock starts is in `chores.ts`. */
export const processes: readonly Process[] = [
  outbox,
  finishRegistrations,
  finishContactChanges,
  settleAddresses,
  erasures,
];

/** By which it is read how far the processes have come, also where there is no log to follow yet. */
export const processNames = processes.map(checkpointOf);

/** The processes as followers of the log, for the worker that leads them, the read side and the commands. */
export function followingProcesses(deps: ProcessDeps): FollowingProcess[] {
  return processes.map((process) => followerOf(process, deps));
}
