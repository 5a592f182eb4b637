import { describe, expect, test } from 'vitest';
import { cause, eventId, samples } from '#tests/event-store/samples.ts';
import { UnstorableEventError } from './errors.ts';
import { checkCause, checkStorable } from './storable.ts';

const id = eventId('job-j1', 0);
const { data } = samples.JobRequested;

function refusal(check: () => void): string {
  try {
    check();
  } catch (error) {
    expect(error).toBeInstanceOf(UnstorableEventError);
    return (error as Error).message;
  }
  throw new Error('was let through');
}

describe('events', () => {
  test('one of each type is let through', () => {
    checkStorable(Object.values(samples).map((event, n) => ({ id: eventId('x', n), event })));
  });

  test.each([
    ['NUL in a value', { ...data, title: 'SECRET\0' }],
    ['half a pair in a value', { ...data, title: 'SECRET\udc00' }],
    ['NUL in a nested value', { ...data, location: { ...data.location, address: 'SECRET\0' } }],
    ['a wrong type', { ...data, isUrgent: 'SECRET' }],
    ['a wrong literal', { ...data, answers: [{ ...data.answers[0], field: 'SECRET' }] }],
    ['a missing field', { ...data, email: undefined, title: 'SECRET' }],
    ['an undeclared field', { ...data, SECRET: 1 }],
    ['an undeclared nested field', { ...data, location: { ...data.location, SECRET: 1 } }],
    ['NUL in a key', { ...data, 'SECRET\0': 1 }],
    ['a key of the prototype', { ...data, ...JSON.parse('{"__proto__":{"SECRET":1}}') }],
    ['a time that is none', { ...data, requestedAt: 'SECRET' }],
    ['an id with room for a name', { ...data, jobId: 'SECRET name' }],
    [
      'a number that JSON cannot say',
      { ...data, title: 'SECRET', location: { ...data.location, lat: Infinity } },
    ],
    ['more than 64 KB', { ...data, description: 'SECRET'.repeat(11_000) }],
  ])('%s is refused, and the message does not tell', (_, broken) => {
    const event = { type: 'JobRequested', data: broken };
    expect(refusal(() => checkStorable([{ id, event }]))).not.toContain('SECRET');
  });

  test('a field that breaks the schema is named', () => {
    const event = { type: 'JobRequested', data: { ...data, isUrgent: 'yes' } };
    expect(refusal(() => checkStorable([{ id, event }]))).toBe(
      'JobRequested: isUrgent does not fit the schema',
    );
  });

  test.each(['JobTeleported', '__proto__', 'toString'])('the type %s is refused', (type) => {
    refusal(() => checkStorable([{ id, event: { type, data: {} } }]));
  });

  test.each(['', 'not-a-uuid', id.toUpperCase()])('the event id %j is refused', (wrong) => {
    refusal(() => checkStorable([{ id: wrong, event: samples.JobAccepted }]));
  });

  test('two events with one id are refused', () => {
    const twice = { id, event: samples.JobAccepted };
    refusal(() => checkStorable([twice, twice]));
  });
});

describe('metadata', () => {
  test.each(['account:0198c0de-1', 'customer', 'prospect', 'system', 'seed', 'import'])(
    'the actor %s is let through',
    (actor) => {
      checkCause({ ...cause, actor });
    },
  );

  test.each([
    { actor: 'sam@example.au' },
    { actor: 'account:sam@example.au' },
    { actor: 'Sam Okafor' },
    { correlation: 'sam@example.au' },
    { correlation: '+61412345678' },
    { causation: 'Sam Okafor' },
    { causation: '' },
    { at: 'yesterday' },
  ])('%j is refused: it could be personal, or nothing at all', (wrong) => {
    const [value] = Object.values(wrong);
    const message = refusal(() => checkCause({ ...cause, ...wrong }));
    if (value) expect(message).not.toContain(value);
  });
});
