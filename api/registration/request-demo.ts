import type { Clock, Deps } from '#api/deps.ts';
import { botCheckFailed } from '#api/http/answers.ts';
import { spendTicket } from '#api/http/bot-check-tickets.ts';
import { hashSource } from '#api/http/client-address.ts';
import { idempotencyKey, recordIdempotencyKey } from '#api/http/idempotency.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import type { OutboxMessage } from '#api/outbox/queue.ts';
import { type DemoRequest, demoDecider } from '#core/demo/decider.ts';
import { type DemoEvent, isDemoEvent } from '#core/demo/events.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { isEmail } from '#core/values/contact.ts';
import { normaliseDemoRequest } from '#core/values/demo-request.ts';

/** Tries of one address, the repeats of a bad line among them; and what sales are sent in all. */
const PER_SOURCE = { name: 'demo-source', points: 10, seconds: 3_600 };
const PER_DAY = { name: 'demo-day', points: 300, seconds: 86_400 };

/**
 * Accepts a request for a demo from a prospect who solved the bot check, which counts once. With an `Idempotency-Key` a repeat
 * is no second one. Throws ConflictError where no address of sales is configured.
 */
export function requestDemo(deps: Clock & Pick<Deps, 'config' | 'db' | 'store'>) {
  const [ofSource, ofDay] = [sharedLimiter(deps, PER_SOURCE), sharedLimiter(deps, PER_DAY)];

  return async (body: DemoRequest, request: Request): Promise<void> => {
    if (deps.config.salesEmail === null) throw new ConflictError('Demos cannot be booked here at the moment');
    const { ip, id: correlation } = contextOf(request);
    await ofSource.consume(hashSource(ip, deps.config.keys.botCheck));
    const demoId = await acceptOnce(deps, body, request.headers);
    await ofDay.consume('all');
    const { website: _, ...typed } = body;
    await handleCommand(
      deps.store,
      demoDecider,
      streamName('demo', demoId),
      { type: 'RequestDemo', at: deps.now().toISOString(), data: { demoId, ...normaliseDemoRequest(typed) } },
      { commandId: demoId, actor: 'prospect', correlation },
    );
  };
}

/** Takes key and ticket together, so that a refusal costs neither; a repeat has paid already. Answers the demo's id. */
function acceptOnce(deps: Clock & Pick<Deps, 'db'>, body: DemoRequest, headers: Headers): Promise<string> {
  const key = idempotencyKey(headers) ?? deps.newId();
  const ticket = headers.get('x-bot-check');
  if (!ticket) throw botCheckFailed('The bot check is missing, please try again');
  const now = deps.now();
  return inTransaction(deps.db, async (db) => {
    const use = { scope: 'demo', key, body, resultId: deps.newId() };
    const { repeat, resultId } = await recordIdempotencyKey(db, use, now);
    if (!repeat && !(await spendTicket(db, ticket, 'demo', now))) {
      throw botCheckFailed('The bot check was used or is too old, please try again');
    }
    return resultId;
  });
}

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
