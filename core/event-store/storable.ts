import { type } from 'arktype';
import type { Event } from '#core/kernel/event.ts';
import { isWellFormed } from '#core/values/text.ts';
import { UnstorableEventError } from './errors.ts';
import { versionsOf } from './event-types.ts';
import type { Cause, NewEvent } from './port.ts';

const LARGEST_BYTES = 64 * 1024;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ACTOR = /^(?:account:[A-Za-z0-9-]{1,100}|customer|prospect|system|seed|import)$/;
const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9:._/-]{0,199}$/;

/**
 * Throws `UnstorableEventError` unless the log, Postgres and every later reader can hold the events.
 * Messages name the type and field, never what stands in it.
 */
export function checkStorable(events: readonly NewEvent[]): void {
  for (const { id, event } of events) {
    if (!UUID.test(id)) throw new UnstorableEventError('an event id is not a lower-case UUID');
    checkEvent(event);
  }
  if (new Set(events.map(({ id }) => id)).size < events.length) {
    throw new UnstorableEventError('two events carry one id');
  }
}

/** Throws `UnstorableEventError` when metadata could hold more than ids and the kind of actor. */
export function checkCause({ actor, causation, correlation, at }: Cause & { at: string }): void {
  if (!ACTOR.test(actor)) throw new UnstorableEventError('the actor is not one of ours');
  if (!REFERENCE.test(causation)) throw new UnstorableEventError('the causation is not a reference');
  if (!REFERENCE.test(correlation)) throw new UnstorableEventError('the correlation is not a reference');
  if (Number.isNaN(Date.parse(at))) throw new UnstorableEventError('the time is not an instant');
}

function checkEvent({ type: name, data }: Event): void {
  const schema = versionsOf(name)?.at(-1)?.schema;
  if (!schema) throw new UnstorableEventError('the type of the event is unknown');
  const problems = schema(data);
  if (problems instanceof type.errors) {
    // Not even what arktype expected may be in the message: inside a union it quotes the value.
    const field = String(problems[0]?.path[0]);
    const known = schema.props.some(({ key }) => key === field);
    throw new UnstorableEventError(
      `${name}: ${known ? `${field} does not fit the schema` : 'a field is not declared'}`,
    );
  }
  if (!holdsOnlyWellFormed(data)) throw new UnstorableEventError(`${name}: text is not well-formed`);
  // As long as its canonical text, which has the same members in another order.
  if (Buffer.byteLength(JSON.stringify(data)) > LARGEST_BYTES) {
    throw new UnstorableEventError(`${name}: larger than ${LARGEST_BYTES} bytes`);
  }
}

/** Whether every text in a value of JSON can be stored (`isWellFormed`), and every number is finite. */
export function holdsOnlyWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value !== 'object' || value === null) return typeof value !== 'number' || Number.isFinite(value);
  return Object.entries(value).every(([key, item]) => isWellFormed(key) && holdsOnlyWellFormed(item));
}
