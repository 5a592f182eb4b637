import type { Deps } from '#api/deps.ts';
import type { OutboxMessage } from '#api/messages/outbox/outbox.ts';
import { demoDecider } from '#core/demo/decider.ts';
import { type DemoEvent, isDemoEvent } from '#core/demo/events.ts';
import { fold } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { isEmail } from '#core/values/contact.ts';

/** The demo that a message is about; null where it was never asked for, or the prospect's data are erased. */
export async function loadDemo(
  { store }: Pick<Deps, 'store'>,
  { data }: Pick<OutboxMessage, 'data'>,
): Promise<DemoEvent['data'] | null> {
  const recorded = await store.readStream(streamName('demo', String(data.demoId)));
  const demo = fold(
    demoDecider,
    recorded.flatMap(({ event }) => (event && isDemoEvent(event) ? [event] : [])),
  );
  return demo && isEmail(demo.email) ? demo : null;
}
