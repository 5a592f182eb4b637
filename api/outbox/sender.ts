import type { Deps, Messages } from '#api/deps.ts';
import { configuredMail } from '#api/providers/mail.ts';
import { outboxPage } from '#api/providers/outbox-page.ts';
import { configuredSms } from '#api/providers/sms.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { pause } from '#core/kernel/pause.ts';
import { type Delivery, defaults, deliver } from './deliver.ts';
import { leaseDue } from './deliveries.ts';
import type { OutboxMessage } from './queue.ts';

/** Messages under way at once in this process. */
const AT_ONCE = 8;
/** Of them, those of announcements: the rest is free for messages to waiting people. */
const BULK_AT_ONCE = 4;
/** How often to read the outbox without a notification, in milliseconds: other processes notify no sender here. */
const POLL = 1_000;
/** How long a stop waits for what is under way, in milliseconds. */
const DRAIN = 8_000;

export type Sender = Messages & Readonly<{ stop(): Promise<void> }>;

/**
 * Sends what stands in the outbox, in as many processes as there are: each takes rows that no other has. A slow message
 * holds up no other. `stop` lets what is under way end; what does not end in time is sent again later, with the same id.
 */
export function startSender(delivery: Delivery): Sender {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  let bulk = 0;
  let isNotified = false;
  let wake = () => {};

  async function idle(): Promise<void> {
    if (isNotified) return;
    const woken = new AbortController();
    wake = () => woken.abort();
    await pause(POLL, AbortSignal.any([woken.signal, stopping.signal]));
  }

  function notify(): void {
    isNotified = true;
    wake();
  }

  async function turn(): Promise<void> {
    const free = AT_ONCE - underWay.size;
    if (free === 0) return idle();
    const leased = await leaseMessages(delivery, { limit: free, bulk: BULK_AT_ONCE - bulk });
    const shared = sharingReads(delivery);
    for (const message of leased) {
      const share = message.isBulk ? 1 : 0;
      bulk += share;
      const sending = deliverOne(shared, message).finally(() => {
        underWay.delete(sending);
        bulk -= share;
        if (underWay.size === AT_ONCE - 1 || share === 1) notify();
      });
      underWay.add(sending);
    }
    if (leased.length < free) await idle();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isNotified = false;
      // The database's own breaker has logged why; what is in the outbox stays there.
      await turn().catch(() => pause(POLL, stopping.signal));
    }
    await Promise.race([Promise.all(underWay), pause(DRAIN)]);
  }

  const running = run();
  return {
    notify,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Sends everything that is due, and what comes due by that; answers how many tries that took. For tests and commands. */
export async function deliverDue(delivery: Delivery): Promise<number> {
  for (let tries = 0; ; ) {
    const leased = await leaseMessages(delivery, { limit: AT_ONCE });
    if (leased.length === 0) return tries;
    const shared = sharingReads(delivery);
    await Promise.all(leased.map((message) => deliverOne(shared, message)));
    tries += leased.length;
  }
}

function deliverOne(delivery: Delivery, message: OutboxMessage): Promise<void> {
  const sending = () => deliver(delivery, message);
  return delivery.aroundMessage?.(message, sending) ?? sending();
}

async function leaseMessages(delivery: Delivery, wanted: Readonly<{ limit: number; bulk?: number }>) {
  const { deps, kinds, lease = defaults.lease } = delivery;
  const leasing = { kinds: kinds.map(({ kind }) => kind), ...wanted, leaseMs: lease, now: deps.now() };
  const { due, dead } = await leaseDue(deps.db, leasing);
  for (const { id, kind } of dead) {
    deps.logger.warn({ event: 'message-dead', kind, message: id, failure: 'was not sent in time' });
  }
  return due;
}

/** The same for the messages of one lease: a stream that several of them are composed from is read once. */
function sharingReads(delivery: Delivery): Delivery {
  const { deps } = delivery;
  const reads = new Map<string, ReturnType<EventStore['readStream']>>();
  const readStream: EventStore['readStream'] = (stream, from = 0) => {
    const key = `${stream}/${from}`;
    const read = reads.get(key) ?? deps.store.readStream(stream, from);
    reads.set(key, read);
    return read;
  };
  return { ...delivery, deps: { ...deps, store: { ...deps.store, readStream } } };
}

/** The mail and the SMS that the environment names. */
export function configuredProviders({
  config,
  db,
  now,
}: Pick<Deps, 'config' | 'db' | 'now'>): Pick<Delivery, 'mail' | 'sms'> {
  const page = outboxPage(db, config.keys);
  return { mail: configuredMail(config, page, now), sms: configuredSms(config, page, now) };
}
