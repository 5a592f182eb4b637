import { type } from 'arktype';
import { expect, expectTypeOf, test } from 'vitest';
import { type EventOf, earlierVersion, event, eventGuard, id, instant } from './event.ts';

const events = {
  Renamed: event(
    { personId: id, names: 'string[]', at: instant },
    {
      personal: { subject: ({ personId }) => `person-${personId}`, erased: { names: [] } },
      earlier: [
        earlierVersion(
          { personId: id, name: 'string', at: instant },
          { upcast: ({ name, ...same }) => ({ ...same, names: [name] }) },
        ),
      ],
    },
  ),
  Left: event({ personId: id, why: type.enumerated('moved', 'other') }),
};

test('the type of an event follows from its declaration, read-only all the way down', () => {
  expectTypeOf<EventOf<typeof events, 'Renamed'>['data']['names']>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<EventOf<typeof events>['type']>().toEqualTypeOf<'Renamed' | 'Left'>();
  expectTypeOf<EventOf<typeof events, 'Left'>['data']['why']>().toEqualTypeOf<'moved' | 'other'>();
});

test('versions stand in the order in which they were written', () => {
  const [first, second] = events.Renamed.versions;
  const data = { personId: 'p1', name: 'Aroha', at: '2026-11-22T00:00:00.000Z' };
  expect(first?.schema(data)).toEqual(data);
  expect(first?.upcast?.(data)).toEqual({ personId: 'p1', names: ['Aroha'], at: data.at });
  expect(second?.upcast).toBeUndefined();
  expect(second?.personal?.subject(data)).toBe('person-p1');
});

test.each([
  [{ personId: 'p1', why: 'moved', note: 'Aroha' }],
  [{ personId: 'Aroha Ngata', why: 'moved' }],
  [{ personId: 'p1', why: 'bored' }],
  [{ personId: 'p1' }],
])('%j does not fit its declaration', (data) => {
  expect(events.Left.versions[0]?.schema(data)).toBeInstanceOf(type.errors);
});

test('an event is told from those of other aggregates by its type', () => {
  const isOurs = eventGuard(events);
  expect(isOurs({ type: 'Left', data: {} })).toBe(true);
  expect(isOurs({ type: 'Opened', data: {} })).toBe(false);
  expect(isOurs({ type: 'constructor', data: {} })).toBe(false);
});

test('a schema is compiled when it is first used, not with the declaration or a copy of it', () => {
  const declared = { ...event({ personId: 'no keyword of arktype' } as never), changes: [] };
  expect(() => declared.versions[0]?.schema).toThrow("'no' is unresolvable");
});
