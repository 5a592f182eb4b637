import type { Deps } from '#api/deps.ts';
import type { UndeliveredMessages } from '#api/jobs/history.ts';
import { undeliveredAbout } from './delivery-status.ts';
import { messageKinds } from './kinds.ts';
import { heldBackFor } from './outbox/held-back.ts';

/** Reads for a job's history what could not be delivered about it, under the names of its messages. */
export function undeliveredMessages({ db }: Pick<Deps, 'db'>): UndeliveredMessages {
  return async (jobId) =>
    (await undeliveredAbout(db, jobId)).map(({ id, kind, deliveryStatus, settledAt }) => ({
      ...{ id, deliveryStatus, settledAt },
      label: messageKinds.find((one) => one.kind === kind)?.label ?? 'A message',
      lapsesAt: new Date(settledAt.getTime() + heldBackFor),
    }));
}
