import { test } from 'vitest';
import { deciderSpec } from '#tests/support/scenarios/deciders.ts';
import { demoDecider } from './decider.ts';
import type { DemoEvent } from './events.ts';

const given = deciderSpec(demoDecider);
const at = '2026-11-03T01:00:00.000Z';
const data = {
  ...{ demoId: 'd1', name: 'Aroha Tāwhiri', businessName: 'Tāwhiri Plumbing', phone: '+64215550123' },
  email: 'aroha@tawhiri.example',
  reachTime: 'lunch',
} as const;
const requested: DemoEvent = { type: 'DemoRequested', data: { ...data, requestedAt: at } };
const request = { type: 'RequestDemo', at, data } as const;

test('a demo is asked for', () => given([]).when(request).then([requested]));

test('and only once, also when another prospect comes with its id', () => {
  given([requested]).when(request).then([]);
  given([requested])
    .when({ ...request, data: { ...data, email: 'other@tawhiri.example' } })
    .then([]);
});
