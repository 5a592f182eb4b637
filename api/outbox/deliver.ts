import type { Deps } from '#api/deps.ts';
import { DeliveryUncertainError, MessageRefusedError, ProviderError } from '#api/providers/http-client.ts';
import { type MailProvider, type SmsProvider, sendableMail, sendableSms } from '#api/providers/messages.ts';
import { pause } from '#core/kernel/pause.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { deadLetter, discard, markPerhapsSent, markSent, retryLater } from './deliveries.ts';
import type { ComposingDeps, MessageKind } from './message-kind.ts';
import type { OutboxMessage } from './queue.ts';
import { HeldBackError, holdBack } from './queue.ts';

/** What it takes to deliver messages. Times in milliseconds. */
export type Delivery = Readonly<{
  deps: ComposingDeps & Pick<Deps, 'stopping'>;
  mail: MailProvider;
  sms: SmsProvider;
  /** Those that this process knows: others wait. */
  kinds: readonly MessageKind[];
  /** How long composing and sending one message may take; shorter than a lease. */
  timeout?: number;
  lease?: number;
  /** From 0 up to 1. */
  random?(): number;
  /** Runs the delivery of one message, such as in a span. */
  aroundMessage?(message: OutboxMessage, deliver: () => Promise<void>): Promise<void>;
}>;

/** How long one message may take, and how long it belongs to the process that took it. */
export const defaults = { timeout: 30_000, lease: 120_000, random: Math.random };
/** How often to try to write down what became of a message. */
const RETRY = 500;

/**
 * Composes one message, sends it, and writes down what became of it. Never throws. The provider is given an id that is
 * the same for every try; what failed is tried again later, what can never be sent is dead-lettered, and what a
 * confirmation may let out is held back. Of a kind that is sent once, what may
 * be out already is not tried again.
 */
export async function deliver(delivery: Delivery, message: OutboxMessage): Promise<void> {
  const { deps, timeout = defaults.timeout, random = defaults.random } = delivery;
  const started = performance.now();
  const log = { kind: message.kind, message: message.id, attempts: message.attempts };
  const isSentOnce = kindOf(delivery, message)?.isSentOnce ?? false;
  const settlePerhaps = (failure: string) => {
    deps.logger.warn({ event: 'message-perhaps-sent', ...log, failure });
    return writeDown(delivery, () => markPerhapsSent(deps.db, message, failure, deps.now()));
  };
  if (isSentOnce && message.isLeft) return settlePerhaps('the process ended while it was being sent');
  try {
    const isWanted = await inTime(send(delivery, message), timeout);
    const ms = Math.round(performance.now() - started);
    deps.logger.info({ event: isWanted ? 'message-sent' : 'message-discarded', ...log, ms });
    await writeDown(delivery, () => (isWanted ? markSent : discard)(deps.db, message, deps.now()));
  } catch (error) {
    if (error instanceof HeldBackError) {
      deps.logger.info({ event: 'message-held', ...log });
      return writeDown(delivery, () => holdBack(deps.db, message, deps.now()));
    }
    const failure = failureOf(error);
    if (isSentOnce && error instanceof DeliveryUncertainError) return settlePerhaps(failure);
    const isHopeless = error instanceof MessageRefusedError;
    deps.logger.warn({ event: isHopeless ? 'message-dead' : 'message-failed', ...log, failure });
    const now = deps.now();
    const dueAt = new Date(now.getTime() + backoffAfter(message.attempts, random()));
    await writeDown(delivery, () =>
      isHopeless
        ? deadLetter(deps.db, message, failure, now)
        : retryLater(deps.db, message, { dueAt, failure }),
    );
  }
}

/** False when the message is not wanted any more. */
async function send(delivery: Delivery, message: OutboxMessage): Promise<boolean> {
  const { deps, mail, sms } = delivery;
  const kind = kindOf(delivery, message);
  if (kind?.channel === 'mail') {
    const composed = await kind.compose(deps, message);
    if (composed) await mail.send(sendableMail(composed), messageIdOf(deps, message));
    return composed !== null;
  }
  const composed = (await kind?.compose(deps, message)) ?? null;
  if (composed) await sms.send(sendableSms(composed), message.id);
  return composed !== null;
}

function kindOf({ kinds }: Pick<Delivery, 'kinds'>, { kind }: OutboxMessage): MessageKind | undefined {
  return kinds.find((one) => one.kind === kind);
}

/** `<id@host>`: the same for every try, whichever process makes it. */
function messageIdOf({ config }: Pick<Deps, 'config'>, { id }: Pick<OutboxMessage, 'id'>): string {
  return `<${id}@${new URL(config.publicOrigin).hostname}>`;
}

async function inTime<T>(work: Promise<T>, timeout: number): Promise<T> {
  const over = new AbortController();
  const late = pause(timeout, over.signal).then(() => {
    throw new DeliveryUncertainError('outbox', 'took too long');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    over.abort();
  }
}

/** A provider's own failures say nothing of whom or what was sent; of everything else only the name is safe to keep. */
function failureOf(error: unknown): string {
  if (error instanceof ProviderError) return error.message.slice(0, 200);
  return error instanceof Error ? error.name : typeof error;
}

/** What is sent must not be sent again because the database was unavailable for a moment: tried until the lease ends. */
async function writeDown(
  { deps, lease = defaults.lease }: Delivery,
  write: () => Promise<void>,
): Promise<void> {
  for (const until = performance.now() + lease; ; ) {
    try {
      return await write();
    } catch (error) {
      if (!isOutage(error) || performance.now() > until || deps.stopping?.aborted) {
        deps.logger.error({ event: 'message-not-settled', failure: failureOf(error) });
        return;
      }
      await pause(RETRY, deps.stopping);
    }
  }
}

const FIRST = 4_000;
const LONGEST = 30 * 60_000;

/**
 * How long to wait after so many tries, in milliseconds: four seconds, doubling up to half an hour, of which `random`
 * (from 0 up to 1) takes away half at most, so that messages that failed together do not come back together.
 */
export function backoffAfter(attempts: number, random: number): number {
  const whole = Math.min(LONGEST, FIRST * 2 ** Math.max(0, Math.min(attempts, 30) - 1));
  return Math.round(whole * (1 - random / 2));
}
