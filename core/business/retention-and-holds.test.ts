import { describe, test } from 'vitest';
import { InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { acmeRegistered, deciderSpec } from '#tests/support/scenarios/deciders.ts';
import type { BusinessCommand } from './commands.ts';
import { businessDecider } from './decider.ts';
import type { BusinessEvent } from './events.ts';

const given = deciderSpec(businessDecider);
const at = '2026-11-03T01:00:00.000Z';
const businessId = 'acme';

describe('how long details are stored', () => {
  const choose = (years: number): BusinessCommand => ({
    ...{ type: 'ChangeRetentionPeriod', at },
    data: { businessId, years },
  });
  const chosen = (years: number): BusinessEvent => ({
    type: 'RetentionPeriodChanged',
    data: { businessId, years, changedAt: at },
  });

  test('is chosen within limits, and seven years before that', () => {
    given([acmeRegistered])
      .when(choose(5))
      .then([chosen(5)]);
    given([acmeRegistered]).when(choose(7)).then([]);
    given([acmeRegistered, chosen(10)])
      .when(choose(10))
      .then([]);
    for (const years of [4, 11, 6.5])
      given([acmeRegistered]).when(choose(years)).thenThrows(InvalidInputError);
  });
});

describe('a hold', () => {
  const until = '2027-05-20T00:00:00.000Z';
  const place = (data: Partial<{ until: string; reason: string }> = {}): BusinessCommand => ({
    ...{ type: 'PlaceBusinessHold', at },
    data: { businessId, until, reason: 'Court order', ...data },
  });
  const placed: BusinessEvent = {
    type: 'BusinessHoldPlaced',
    data: { businessId, until, reason: 'Court order', placedAt: at },
  };
  const end: BusinessCommand = { type: 'EndBusinessHold', at, data: { businessId } };
  const ended: BusinessEvent = { type: 'BusinessHoldEnded', data: { businessId, endedAt: at } };

  test('is placed once, for another day again, and ended once', () => {
    given([acmeRegistered]).when(place()).then([placed]);
    given([acmeRegistered, placed]).when(place()).then([]);
    const later = '2027-06-20T00:00:00.000Z';
    given([acmeRegistered, placed])
      .when(place({ until: later }))
      .then([{ ...placed, data: { ...placed.data, until: later } } as BusinessEvent]);
    given([acmeRegistered, placed]).when(end).then([ended]);
    given([acmeRegistered, placed, ended]).when(end).then([]);
  });

  test('ends within twelve months', () => {
    given([acmeRegistered])
      .when(place({ until: at }))
      .thenThrows(InvalidInputError);
    given([acmeRegistered])
      .when(place({ until: '2027-11-04T00:00:00.000Z' }))
      .thenThrows(InvalidInputError);
    given([]).when(place()).thenThrows(NotFoundError);
  });
});
