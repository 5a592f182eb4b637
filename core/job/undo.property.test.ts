import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { attempt } from '#tests/support/decider-spec.ts';
import { anyJobCommand } from '#tests/support/job-arbitraries.ts';
import { ids, now } from '#tests/support/job-scenarios.ts';
import type { UndoJobChange } from './commands.ts';
import { jobDecider } from './decider.ts';
import { type JobEvent, partsOf } from './events.ts';
import { undoDecider } from './undo.ts';

test('undone at once, every change of a job leaves it as it was before', () => {
  fc.assert(
    fc.property(fc.array(anyJobCommand, { minLength: 1, maxLength: 15 }), (commands) => {
      let history: JobEvent[] = [];
      for (const command of commands) {
        const before = fold(jobDecider, history);
        const events = attempt(jobDecider, command, before) ?? [];
        if (events.length === 0) continue;
        const range = { first: history.length, last: history.length + events.length - 1 };
        history = [...history, ...events];
        const changesNothing = before === null || events.flatMap(partsOf).length === 0;
        if (changesNothing) expect(() => undo(history, range)).toThrow(ConflictError);
        else {
          const after = fold(jobDecider, [...history, ...undo(history, range)]);
          const { revision, openedAt } = after ?? {};
          expect(after).toEqual({ ...before, revision, openedAt });
        }
      }
    }),
    { numRuns: 300 },
  );
});

function undo(history: readonly JobEvent[], range: { first: number; last: number }): JobEvent[] {
  const { businessId = '' } = fold(jobDecider, history) ?? {};
  const decider = undoDecider(range);
  const data = { jobId: ids.jobId, businessId, ...range };
  const command: UndoJobChange = { type: 'UndoJobChange', at: now, data };
  return decider.decide(command, fold(decider, history));
}
