import { isConfirmed } from '#api/accounts/settle-held-back.ts';
import type { Deps } from '#api/deps.ts';
import { type Undelivered, undeliveredAbout } from '#api/messages/delivery-status.ts';
import { heldBackFor } from '#api/messages/held-back.ts';
import { messageKinds } from '#api/messages/kinds.ts';
import { product } from '#core/values/product.ts';
import type { Who } from './history.ts';

/** A message about a job that did not arrive. It is no event, so it has no revision; `id` is the message's. */
export type UndeliveredEntry = Readonly<{
  what: 'undelivered';
  id: string;
  revision: null;
  at: string;
  from: null;
  to: null;
  undo: false;
  who: Who;
  text: string;
}>;

/** What could not be delivered about a job of a business, or not yet, newest first, in words for the tradie. */
export async function undeliveredEntries(
  deps: Pick<Deps, 'config' | 'db' | 'store' | 'now'>,
  { businessId, jobId }: Readonly<{ businessId: string; jobId: string }>,
): Promise<UndeliveredEntry[]> {
  const undelivered = await undeliveredAbout(deps.db, jobId);
  const isHeld = undelivered.some(({ deliveryStatus }) => deliveryStatus === 'held');
  const reader = { isConfirmed: isHeld && (await isConfirmed(deps, businessId)), now: deps.now() };
  return undelivered.map((message) => {
    const { id, kind, settledAt } = message;
    const label = messageKinds.find((one) => one.kind === kind)?.label ?? 'A message';
    return {
      ...{ what: 'undelivered', id, revision: null, at: settledAt.toISOString(), from: null, to: null },
      ...{
        undo: false,
        who: { kind: 'ute', name: product.name },
        text: `${label} ${becameOf(message, reader)}`,
      },
    };
  });
}

type Reader = Readonly<{ isConfirmed: boolean; now: Date }>;

/** True at every moment: also between the end of a message's time, or a confirmation, and what follows from it. */
function becameOf({ deliveryStatus, settledAt }: Undelivered, { isConfirmed, now }: Reader): string {
  if (deliveryStatus === 'dead') return 'could not be delivered';
  if (deliveryStatus === 'lapsed' || now.getTime() - settledAt.getTime() >= heldBackFor) {
    return 'was not sent: it waited a day for your email address to be confirmed';
  }
  return isConfirmed
    ? 'goes out in a moment, now that your email address is confirmed'
    : 'waits: confirm your email address, in your profile under Security, and it goes out';
}
