import { expect, test } from 'vitest';
import { type Batch, batchDecider, type Command, type Decider, deciderWithView, fold } from './decider.ts';
import { IllegalTransitionError } from './errors.ts';
import type { Event } from './event.ts';

type Add = Command<'Add', { amount: number }>;
type Added = Event<'Added', { amount: number; total: number }>;

const sum: Decider<number, Add, Added> = {
  initialState: 0,
  owns: (event): event is Added => event.type === 'Added',
  decide: ({ data: { amount } }, total) => {
    if (total + amount > 10) throw new IllegalTransitionError('Too much');
    return amount === 0 ? [] : [{ type: 'Added', data: { amount, total: total + amount } }];
  },
  evolve: (total, { data }) => total + data.amount,
};

const adding = (...amounts: number[]): Batch<Add> => ({
  type: 'Batch',
  at: '2026-03-02T09:00:00.000Z',
  data: {
    commands: amounts.map((amount) => ({ type: 'Add', at: '2026-03-02T09:00:00.000Z', data: { amount } })),
  },
});

test('each command is decided on what the ones before it led to', () => {
  const events = batchDecider(sum).decide(adding(2, 0, 3), 4);
  expect(events.map(({ data }) => data.total)).toEqual([6, 9]);
});

test('one refusal refuses them all', () => {
  expect(() => batchDecider(sum).decide(adding(2, 9), 0)).toThrow('Too much');
});

test('a view is folded beside the state, and decides nothing', () => {
  const amounts = {
    evolve: (seen: readonly number[], { data }: Added) => [...seen, data.amount],
    initial: [],
  };
  const viewed = deciderWithView(batchDecider(sum), amounts);
  const history: Added[] = [{ type: 'Added', data: { amount: 4, total: 4 } }];
  const before = fold(viewed, history);
  const events = viewed.decide(adding(2, 3), before);
  expect(events).toEqual(batchDecider(sum).decide(adding(2, 3), 4));
  expect(fold(viewed, [...history, ...events])).toEqual({ state: 9, view: [4, 2, 3] });
});
