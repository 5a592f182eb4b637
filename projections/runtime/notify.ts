import type { PoolClient } from 'pg';
import type { Position } from '#core/event-store/port.ts';
import type { Change } from './projection.ts';

/** The NOTIFY channel on which every process learns what a projection did. */
export const readModelChannel = 'read_model';

/** Postgres refuses a payload of 8000 bytes. */
const payloadLimit = 7_900;

/**
 * What a batch did: ids and kinds only. `replaced` when the tables were swapped after a rebuild:
 * anything may have changed.
 */
export type Notification = Readonly<{
  /** Key of the live build (`keyOf`): of two releases at work, each heeds its own. */
  projection: string;
  position: Position;
  changes: readonly Change[];
  replaced?: boolean;
}>;

/** Notifies every process at commit, in as many notifications as the changes need. */
export async function sendNotification(db: PoolClient, notification: Notification): Promise<void> {
  await db.query({
    name: 'notify-read-model',
    text: `select pg_notify('${readModelChannel}', payload) from unnest($1::text[]) as payload`,
    values: [payloads(notification)],
  });
}

/** The notification as texts of at most 7900 bytes, each complete in itself. */
export function payloads({ changes, ...rest }: Notification): string[] {
  const head = JSON.stringify({ ...rest, changes: [] }).slice(0, -2);
  const texts: string[] = [];
  let text = head;
  for (const item of new Set(changes.map(encodeChange))) {
    if (text.length > head.length && Buffer.byteLength(text) + Buffer.byteLength(item) + 3 > payloadLimit) {
      texts.push(`${text}]}`);
      text = head;
    }
    text += text.length > head.length ? `,${item}` : item;
  }
  return [...texts, `${text}]}`];
}

/** The reverse of `payloads`; null for a text that is not one of ours. */
export function readPayload(text: string): Notification | null {
  try {
    const { changes, ...rest } = JSON.parse(text);
    return {
      ...rest,
      changes: changes.map(([businessId, kind, id]: [string, Change['kind'], string]) => ({
        businessId,
        kind,
        id,
      })),
    };
  } catch {
    return null;
  }
}

function encodeChange({ businessId, kind, id }: Change): string {
  return JSON.stringify([businessId, kind, id]);
}

/** How far a live build is known to be. `hasWritten` is false where it only passed events that do not concern it. */
export type Progress = Readonly<{ projection: string; position: Position; hasWritten: boolean }>;

type Listener = (progress: Progress) => void;

/** Tells the readers of this process where its worker is: sooner than NOTIFY can. */
export type ProgressChannel = Readonly<{
  tell(progress: Progress): void;
  /** Answers the way to stop. */
  listen(listener: Listener): () => void;
}>;

export function createProgressChannel(): ProgressChannel {
  const listeners = new Set<Listener>();
  return {
    tell(progress) {
      for (const listener of listeners) listener(progress);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
