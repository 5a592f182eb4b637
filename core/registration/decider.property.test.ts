import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import { DomainError } from '#core/kernel/errors.ts';
import { attempt } from '#tests/support/scenarios/deciders.ts';
import {
  anyDraftStep,
  type DraftStep,
  started,
  wattle,
} from '#tests/support/scenarios/registration-events.ts';
import { registrationDecider } from './decider.ts';
import {
  changePhone,
  emptyDraft,
  type RegistrationDraft,
  saveAnswers,
  verifyEmail,
  verifyPhone,
} from './draft.ts';
import type { RegistrationEvent } from './events.ts';

const registrationId = 'r1';
const at = '2026-11-03T01:00:00.000Z';
const { email, phone } = wattle.completing;
/** The way that leads to the end. */
const usual: readonly DraftStep[] = [
  { kind: 'save', given: { step: null, answers: wattle.answers, choosesPassword: true } },
  { kind: 'verify-email', email },
  { kind: 'verify-phone', phone },
  { kind: 'record' },
  { kind: 'complete' },
];
/** That way, a part of it missing now and then, and anything in between. */
const steps = fc
  .tuple(
    ...usual.map((step) =>
      fc.tuple(
        fc.array(anyDraftStep, { maxLength: 2 }),
        fc.oneof({ weight: 9, arbitrary: fc.constant([step]) }, fc.constant([])),
      ),
    ),
    fc.array(anyDraftStep, { maxLength: 8 }),
  )
  .map((parts) => parts.flat(2));

type Moment = Readonly<{ draft: RegistrationDraft; events: readonly RegistrationEvent[] }>;

/** The draft and its registration after each step; a step that is refused changes neither. */
function walk(all: readonly DraftStep[]): Moment[] {
  const moments: Moment[] = [{ draft: emptyDraft, events: [started] }];
  for (const step of all) moments.push(after(moments.at(-1) as Moment, step));
  return moments;
}

function after({ draft, events }: Moment, step: DraftStep): Moment {
  if (step.kind === 'record' || step.kind === 'complete') {
    const data = { ...wattle.completing, registrationId, draft };
    const command =
      step.kind === 'record'
        ? ({ type: 'RecordMilestones', at, data: { registrationId, draft } } as const)
        : ({ type: 'CompleteRegistration', at, data } as const);
    const next = attempt(registrationDecider, command, fold(registrationDecider, events)) ?? [];
    return { draft, events: [...events, ...next] };
  }
  try {
    return { draft: changed(draft, step), events };
  } catch (error) {
    if (error instanceof DomainError) return { draft, events };
    throw error;
  }
}

function changed(
  draft: RegistrationDraft,
  step: Exclude<DraftStep, { kind: 'record' | 'complete' }>,
): RegistrationDraft {
  switch (step.kind) {
    case 'save':
      return saveAnswers(draft, step.given);
    case 'verify-email':
      return verifyEmail(draft, step.email);
    case 'change-phone':
      return changePhone(draft, step.phone);
    default:
      return verifyPhone(draft, step.phone);
  }
}

describe('whatever is done to a registration, in whatever order', () => {
  test('it is completed once, and only with everything that the steps ask for', () => {
    let completions = 0;
    fc.assert(
      fc.property(steps, (all) => {
        const moments = walk(all);
        const events = moments.at(-1)?.events ?? [];
        const index = events.findIndex(({ type }) => type === 'RegistrationCompleted');
        if (index === -1) return;
        completions += 1;
        expect(events.slice(index + 1)).toEqual([]);
        const before = events.slice(0, index);
        const event = events[index];
        if (event?.type !== 'RegistrationCompleted') throw new Error('it was not completed');
        const { recorded } = fold(registrationDecider, before) ?? {};
        expect(recorded).toMatchObject({
          passwordSet: true,
          verifiedEmail: event.data.email,
          verifiedPhone: event.data.phone,
          answers: {
            ...{ terms: true, subscribe: event.data.subscribe, entity: { registered: true } },
            ...{ tradingName: event.data.tradingName, region: event.data.region },
            ...{ trades: event.data.trades, specialties: event.data.specialties },
            location: event.data.coverage,
          },
        });
        expect(event.data.trades.length).toBeLessThanOrEqual(3);
        expect(event.data.specialties.length).toBeGreaterThan(0);
        for (const name of [event.data.tradingName, event.data.firstName, event.data.lastName]) {
          expect(name.trim()).not.toBe('');
          expect(name).not.toMatch(/[\n\r\t]/);
        }
        const { draft } = moments.find((moment) => moment.events.includes(event)) as Moment;
        expect(draft.answers).toMatchObject({ terms: true, region: event.data.region });
        expect(event.data.showPhone).toBe(draft.answers.showPhone);
        expect([draft.verifiedEmail, draft.verifiedPhone]).toEqual([event.data.email, event.data.phone]);
      }),
      { numRuns: 500 },
    );
    expect(completions).toBeGreaterThan(25);
  });

  test('no draft stands on a step whose way there is not done, but by going back', () => {
    fc.assert(
      fc.property(steps, (all) => {
        let before = 0;
        for (const { draft } of walk(all)) {
          const { specialties, trades } = draft.answers;
          if (draft.step > before && draft.step > 1) {
            expect(specialties.length > 0 && trades.length > 0).toBe(true);
          }
          before = draft.step;
        }
      }),
    );
  });

  test('what is recorded is of the draft then, and the same draft records nothing more', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { draft, events } = walk([...all, { kind: 'record' }]).at(-1) as Moment;
        const isOver = events.some(({ type }) => type === 'RegistrationCompleted');
        const again = after({ draft, events }, { kind: 'record' });
        expect(again.events).toEqual(events);
        const { recorded } = fold(registrationDecider, events) ?? {};
        if (isOver) return;
        if (draft.verifiedEmail !== null) expect(recorded?.verifiedEmail).toBe(draft.verifiedEmail);
        if (draft.verifiedPhone !== null) expect(recorded?.verifiedPhone).toBe(draft.verifiedPhone);
        if (draft.answers.region !== null) expect(recorded?.answers.region).toBe(draft.answers.region);
      }),
    );
  });
});
