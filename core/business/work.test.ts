import { describe, expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError, InvalidInputError } from '#core/kernel/errors.ts';
import { isTimeZone } from '#core/values/time.ts';
import { isZoneOf, timeZonesOf } from '#core/values/time-zones.ts';
import { acme, deciderSpec } from '#tests/support/scenarios/deciders.ts';
import { businessDecider } from './decider.ts';
import type { BusinessEvent } from './events.ts';

const given = deciderSpec(businessDecider);
const at = '2026-11-03T01:00:00.000Z';
const { businessId, accountId } = acme;
const registered: BusinessEvent = {
  type: 'BusinessRegistered',
  data: { ...acme, registeredAt: at },
};
const perth = { lat: -31.95, lng: 115.86, radius: 20_000 };
const move = (coverage = perth) =>
  ({ type: 'ChangeServiceArea', at, data: { businessId, coverage } }) as const;
const zone = (timeZone: string) => ({ type: 'ChangeTimeZone', at, data: { businessId, timeZone } }) as const;

describe('the area', () => {
  const moved: BusinessEvent = {
    type: 'ServiceAreaChanged',
    data: { businessId, accountId, coverage: perth, changedAt: at },
  };

  test('is changed once, and is the one that stands from then on', () => {
    given([registered]).when(move()).then([moved]);
    given([registered, moved]).when(move()).then([]);
    expect(fold(businessDecider, [registered, moved])).toMatchObject({
      coverage: perth,
      timeZone: acme.timeZone,
    });
  });

  test.each([
    ['wider than the widest', { ...perth, radius: 100_001 }],
    ['of less than nothing', { ...perth, radius: -1 }],
    ['beyond the pole', { ...perth, lat: -91 }],
    ['no number', { ...perth, lng: Number.NaN }],
  ])('that is %s is refused', (_what, coverage) => {
    given([registered]).when(move(coverage)).thenThrows(InvalidInputError);
  });
});

describe('the time zone', () => {
  const changed: BusinessEvent = {
    type: 'TimeZoneChanged',
    data: { businessId, timeZone: 'Australia/Perth', changedAt: at },
  };

  test('is changed once', () => {
    given([registered]).when(zone('Australia/Perth')).then([changed]);
    given([registered, changed]).when(zone('Australia/Perth')).then([]);
  });

  test.each(['Pacific/Auckland', 'Europe/London', '+10:00', 'constructor', ''])(
    '%j is none of this country',
    (wrong) => {
      given([registered]).when(zone(wrong)).thenThrows(InvalidInputError);
    },
  );

  test('is one of those that the runtime knows', () => {
    for (const [region, zones] of Object.entries(timeZonesOf))
      for (const one of Object.keys(zones)) {
        expect(isTimeZone(one)).toBe(true);
        expect(isZoneOf(region as 'au' | 'nz', one)).toBe(true);
      }
  });
});

test('the line under the name is changed once, and nothing of a business that was closed', () => {
  const tagline = { type: 'ChangeTagline', at, data: { businessId, tagline: 'Roofers, Perth WA' } } as const;
  const changed: BusinessEvent = {
    type: 'TaglineChanged',
    data: { businessId, accountId, tagline: 'Roofers, Perth WA', changedAt: at },
  };
  given([registered]).when(tagline).then([changed]);
  given([registered, changed]).when(tagline).then([]);
  const closed: BusinessEvent = {
    type: 'BusinessClosed',
    data: { businessId, erasureId: 'erasure-1', closedAt: at },
  };
  for (const command of [tagline, move(), zone('Australia/Perth')])
    given([registered, closed]).when(command).thenThrows(ConflictError);
});
