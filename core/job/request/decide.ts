import type { Handlers } from '#core/job/part.ts';
import { assertNotErased } from '#core/job/retention/decide.ts';
import type { RetentionState } from '#core/job/retention/events.ts';
import type { HeldFor } from '#core/job/status/statuses.ts';
import type { Command } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import type { RequestEvent, RequestState } from './events.ts';

/** What a form need not say. */
type Unsaid = Pick<RequestEvent<'JobRequested'>['data'], 'reachBy' | 'unsentFiles'>;

/** A customer sends the business's public form. `heldFor` says why the tradie is to look before any alert goes out. */
export type RequestJob = Command<
  'RequestJob',
  Omit<RequestEvent<'JobRequested'>['data'], 'requestedAt' | keyof Unsaid> &
    Partial<Unsaid> & { heldFor?: HeldFor | null }
>;
/** The product sends a job. */
export type ReceiveWorkOrder = Command<
  'ReceiveWorkOrder',
  Omit<RequestEvent<'WorkOrderReceived'>['data'], 'receivedAt'>
>;
/** The tradie types a job in. */
export type AddJob = Command<'AddJob', Omit<RequestEvent<'JobAdded'>['data'], 'addedAt'>>;

type Beginning = RequestJob | ReceiveWorkOrder | AddJob;

/** What is known of a job under the id; null where there is none. */
type Known = (RequestState & Pick<RetentionState, 'isErased'>) | null;

/** The commands with which a job comes. */
export const beginnings = {
  RequestJob(known, command) {
    if (isRepeat(command, known)) return [];
    const { heldFor = null, reachBy = '', unsentFiles = 0, ...request } = command.data;
    const { jobId, businessId } = request;
    return [
      { type: 'JobRequested', data: { ...request, reachBy, unsentFiles, requestedAt: command.at } },
      ...(heldFor
        ? [{ type: 'JobHeld', data: { jobId, businessId, heldFor, heldAt: command.at } } as const]
        : []),
    ];
  },

  ReceiveWorkOrder(known, command) {
    if (isRepeat(command, known)) return [];
    return [{ type: 'WorkOrderReceived', data: { ...command.data, receivedAt: command.at } }];
  },

  AddJob(known, command) {
    if (isRepeat(command, known)) return [];
    return [{ type: 'JobAdded', data: { ...command.data, addedAt: command.at } }];
  },
} satisfies Handlers<Beginning, Known, RequestEvent>;

/** The same job sent again is no new job. What differs in what never changes is another job under a taken id. */
function isRepeat({ type, data }: Beginning, known: Known): boolean {
  if (known === null) return false;
  const sameIds = known.id === data.jobId && known.businessId === data.businessId;
  if (sameIds) assertNotErased(known);
  const sameOrigin = (type === 'ReceiveWorkOrder') === (known.type === 'WorkOrder');
  const sameContact = known.name === data.name && known.email === data.email && known.phone === data.phone;
  const sameWork = known.title === data.title && known.address === data.location.address;
  if (sameOrigin && sameIds && sameContact && sameWork) return true;
  throw new ConflictError('This job was already created with other details');
}
