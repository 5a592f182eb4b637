import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { acme, acmeRegistered, deciderSpec } from '#tests/support/scenarios/deciders.ts';
import type { BusinessCommand, ChangeBusinessDetails } from './commands.ts';
import { businessDecider } from './decider.ts';
import type { BusinessEvent } from './events.ts';

const given = deciderSpec(businessDecider);
const at = '2026-11-03T01:00:00.000Z';
const businessId = 'acme';

describe('the details', () => {
  const details = { bn: acme.bn, name: acme.name, tradingName: acme.tradingName };
  const change = (data: Partial<ChangeBusinessDetails['data']>): ChangeBusinessDetails => ({
    ...{ type: 'ChangeBusinessDetails', at },
    data: { businessId, ...details, ...data },
  });

  test('change by an event that says all of them', () => {
    const tradingName = 'Acme & Daughter';
    const changed: BusinessEvent = {
      type: 'BusinessDetailsChanged',
      data: { businessId, accountId: 'account-1', ...details, tradingName, changedAt: at },
    };
    given([acmeRegistered]).when(change({ tradingName })).then([changed]);
    given([acmeRegistered, changed]).when(change({ tradingName })).then([]);
    given([acmeRegistered]).when(change({})).then([]);
  });

  test.each([
    ['bn', { bn: '51824753557' }],
    ['bn', { bn: '9429000035170' }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['tradingName', { tradingName: 'Jo' }],
  ] as const)('with a wrong %s are refused by name', (field, data) => {
    expect(refusedFields(change(data), [acmeRegistered])).toEqual([field]);
  });
});

describe('a business that registered under a short name', () => {
  const jo: BusinessEvent = {
    type: 'BusinessRegistered',
    data: { ...acmeRegistered.data, tradingName: 'Jo' },
  };
  const change = (data: Partial<ChangeBusinessDetails['data']>): ChangeBusinessDetails => ({
    ...{ type: 'ChangeBusinessDetails', at },
    data: { businessId, bn: acme.bn, name: acme.name, tradingName: 'Jo', ...data },
  });

  test('keeps it while the registered name changes', () => {
    const name = 'Jo Holdings Pty Ltd';
    given([jo])
      .when(change({ name }))
      .then([
        {
          type: 'BusinessDetailsChanged',
          data: { businessId, accountId: 'account-1', bn: acme.bn, name, tradingName: 'Jo', changedAt: at },
        },
      ]);
    expect(refusedFields(change({ tradingName: 'Al' }), [jo])).toEqual(['tradingName']);
  });
});

function refusedFields(command: BusinessCommand, history: BusinessEvent[]): string[] {
  try {
    businessDecider.decide(command, history.reduce(businessDecider.evolve, null));
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return Object.keys(error.fields);
    throw error;
  }
}
