import type { Deps } from '#api/deps.ts';
import { heldBackReason } from '#api/messages/held-back.ts';
import { messageKinds } from '#api/messages/kinds.ts';
import { undeliveredAbout } from '#api/messages/standings.ts';
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

/** What could not be delivered about a job, newest first, in words for the tradie. */
export async function undeliveredEntries(
  { db }: Pick<Deps, 'db'>,
  jobId: string,
): Promise<UndeliveredEntry[]> {
  const dead = await undeliveredAbout(db, jobId);
  return dead.map(({ id, kind, failure, settledAt }) => {
    const label = messageKinds.find((one) => one.kind === kind)?.label ?? 'A message';
    return {
      ...{ what: 'undelivered', id, revision: null, at: settledAt.toISOString(), from: null, to: null },
      ...{ undo: false, who: { kind: 'ute', name: product.name }, text: `${label} ${becameOf(failure)}` },
    };
  });
}

function becameOf(failure: string | null): string {
  return failure?.endsWith(heldBackReason)
    ? 'waits: confirm your email address, in your profile under Security, and it goes out'
    : 'could not be delivered';
}
