import { describe, expect, test } from 'vitest';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { acmeRegistered, deciderSpec } from '#tests/support/scenarios/deciders.ts';
import type { BusinessCommand } from './commands.ts';
import { businessDecider } from './decider.ts';
import type { BusinessEvent } from './events.ts';

const given = deciderSpec(businessDecider);
const at = '2026-11-03T01:00:00.000Z';
const businessId = 'acme';

describe('the closing of a business', () => {
  const [erasureId, dueAt, slug] = ['erasure-1', '2026-12-03T01:00:00.000Z', 'acme'];
  const of = { businessId, erasureId };
  const addressed: BusinessEvent = {
    type: 'PublicAddressChanged',
    data: { businessId, slug, changedAt: at },
  };
  const planned: BusinessEvent = { type: 'BusinessClosurePlanned', data: { ...of, dueAt, plannedAt: at } };
  const cancelled: BusinessEvent = { type: 'BusinessClosureCancelled', data: { ...of, cancelledAt: at } };
  const closed: BusinessEvent = { type: 'BusinessClosed', data: { ...of, closedAt: at } };
  const plan: BusinessCommand = { type: 'PlanBusinessClosure', at, data: { ...of, dueAt } };
  const cancel: BusinessCommand = { type: 'CancelBusinessClosure', at, data: of };
  const close: BusinessCommand = { type: 'CloseBusiness', at, data: of };
  const introduce: BusinessCommand = { type: 'IntroduceBusiness', at, data: { businessId, intro: 'Hello' } };
  const move: BusinessCommand = { type: 'ChangePublicAddress', at, data: { businessId, slug: 'acme-2' } };
  const introduced: BusinessEvent = {
    type: 'BusinessIntroduced',
    data: { businessId, accountId: 'account-1', intro: 'Hello', introducedAt: at },
  };
  const moved: BusinessEvent = {
    type: 'PublicAddressChanged',
    data: { businessId, slug: 'acme-2', changedAt: at },
  };

  /** What each command leads to after each history: events, none, or a refusal. */
  test.each([
    ['that is open', [], [[planned], [], [closed], [introduced], [moved]]],
    ['that is to be closed', [planned], [[], [cancelled, addressed], [closed], [introduced], 'x']],
    ['that stays open after all', [planned, cancelled], [[planned], [], [closed], [introduced], [moved]]],
    ['that is closed', [planned, closed], [[], [], [], 'x', 'x']],
  ] as const)('of one %s', (_, history, outcomes) => {
    [plan, cancel, close, introduce, move].forEach((command, index) => {
      const decision = given([acmeRegistered, addressed, ...history]).when(command);
      const outcome = outcomes[index];
      if (outcome === 'x') decision.thenThrows(ConflictError);
      else decision.then([...(outcome ?? [])]);
    });
  });

  test('is taken back by the erasure that planned it alone', () => {
    const other: BusinessCommand = { ...cancel, data: { businessId, erasureId: 'erasure-2' } };
    given([acmeRegistered, planned]).when(other).then([]);
    given([acmeRegistered, planned]).when(cancel).then([cancelled]);
  });

  test('leaves nothing of it in what is read from its events', () => {
    const history = [acmeRegistered, addressed, introduced, closed];
    const state = history.reduce(businessDecider.evolve, businessDecider.initialState);
    expect(JSON.stringify(state)).not.toMatch(
      /acme plumbing|"acme"(?!,"accountId)|Hello|-37\.77|51824753556/i,
    );
  });

  test('is of a business that came to Ute', () => {
    for (const command of [plan, cancel, close]) given([]).when(command).thenThrows(NotFoundError);
  });
});
