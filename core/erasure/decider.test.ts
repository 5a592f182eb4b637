import { describe, expect, test } from 'vitest';
import {
  ConflictError,
  IllegalTransitionError,
  InvalidInputError,
  NotFoundError,
} from '#core/kernel/errors.ts';
import { deciderSpec } from '#tests/support/scenarios/deciders.ts';
import { dueAfterGrace, type ErasureCommand, erasureDecider, mostJobs } from './decider.ts';
import type { ErasureEvent } from './events.ts';

const given = deciderSpec(erasureDecider);
const at = '2026-11-03T01:00:00.000Z';
const dueAt = '2026-11-10T01:00:00.000Z';
const erasureId = 'erasure-1';

const data = {
  erasureId,
  scope: 'jobs',
  basis: 'operator',
  businessId: 'acme',
  ids: ['job-1'],
  dueAt,
} as const;
const request = { type: 'RequestErasure', at, data } as const;
const requested: ErasureEvent = { type: 'ErasureRequested', data: { ...data, requestedAt: at } };
const cancelled: ErasureEvent = { type: 'ErasureCancelled', data: { erasureId, cancelledAt: at } };
const refused: ErasureEvent = {
  type: 'ErasureRefused',
  data: { erasureId, reason: 'held', refusedAt: dueAt },
};
const begun: ErasureEvent = { type: 'ErasureBegun', data: { erasureId, begunAt: dueAt } };
const counts = { keys: 1, files: 2 };
const completed: ErasureEvent = { type: 'ErasureCompleted', data: { erasureId, counts, completedAt: dueAt } };

const cancel: ErasureCommand = { type: 'CancelErasure', at, data: { erasureId } };
const refuse: ErasureCommand = { type: 'RefuseErasure', at: dueAt, data: { erasureId, reason: 'held' } };
const begin: ErasureCommand = { type: 'BeginErasure', at: dueAt, data: { erasureId } };
const complete: ErasureCommand = { type: 'CompleteErasure', at: dueAt, data: { erasureId, counts } };

describe('an erasure is requested', () => {
  test('once, however often it is sent', () => {
    given([]).when(request).then([requested]);
    given([requested]).when(request).then([]);
    given([requested])
      .when({ ...request, data: { ...data, ids: ['job-2'] } })
      .thenThrows(ConflictError);
  });

  test('of something, not of too much, and not for a day that is gone', () => {
    const asked = (changes: object) => given([]).when({ ...request, data: { ...data, ...changes } });
    asked({ ids: [] }).thenThrows(InvalidInputError);
    asked({ ids: Array.from({ length: mostJobs + 1 }, (_, n) => `job-${n}`) }).thenThrows(InvalidInputError);
    asked({ dueAt: '2026-11-03T00:59:59.000Z' }).thenThrows(InvalidInputError);
  });

  test('with a week to take a customer back, and a month for a business', () => {
    expect(dueAfterGrace('jobs', new Date(at))).toBe(dueAt);
    expect(dueAfterGrace('business', new Date(at))).toBe('2026-12-03T01:00:00.000Z');
  });
});

/** What each command leads to after each history: an event, nothing, or a refusal. */
test.each([
  ['requested', [requested], [cancelled, refused, begun, 'x']],
  ['cancelled', [requested, cancelled], ['-', 'x', 'x', 'x']],
  ['refused', [requested, refused], ['x', '-', 'x', 'x']],
  ['begun', [requested, begun], ['x', 'x', '-', completed]],
  ['completed', [requested, begun, completed], ['x', 'x', '-', '-']],
] as const)('a %s one', (_, history, expected) => {
  [cancel, refuse, begin, complete].forEach((command, index) => {
    const outcome = expected[index];
    const decision = given([...history]).when(command);
    if (outcome === 'x') decision.thenThrows(IllegalTransitionError);
    else decision.then(outcome === '-' || outcome === undefined ? [] : [outcome]);
  });
});

test('it does not begin while it can be taken back', () => {
  given([requested])
    .when({ ...begin, at })
    .thenThrows(IllegalTransitionError);
});

test('what was never requested is not found', () => {
  given([]).when(cancel).thenThrows(NotFoundError);
  given([requested])
    .when({ ...begin, data: { erasureId: 'erasure-2' } })
    .thenThrows(NotFoundError);
});
