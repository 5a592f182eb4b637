import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JobEvent, jobDecider, partsOf } from '#core/job/job.ts';
import { evolveJobDetails, type JobDetails } from '#core/job/view.ts';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { anyJobCommand, attempt, ids, now } from '#tests/support/scenarios/deciders.ts';
import type { UndoJobChange } from './undo.ts';

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
        const changesNothing =
          before === null || command.type === 'UndoJobChange' || events.flatMap(partsOf).length === 0;
        if (changesNothing) expect(() => undo(history, range)).toThrow(ConflictError);
        else {
          const undone = [...history, ...undo(history, range)];
          const after = fold(jobDecider, undone);
          const { revision, isOpened, changes } = after ?? {};
          expect(after).toEqual({ ...before, revision, isOpened, changes });
          const shown = folded(undone);
          expect(shown).toEqual({
            ...folded(history.slice(0, range.first)),
            revision,
            openedAt: shown?.openedAt,
          });
        }
      }
    }),
    { numRuns: 300 },
  );
});

const folded = (events: readonly JobEvent[]) => events.reduce<JobDetails | null>(evolveJobDetails, null);

function undo(history: readonly JobEvent[], range: { first: number; last: number }): JobEvent[] {
  const { businessId = '' } = fold(jobDecider, history) ?? {};
  const data = { jobId: ids.jobId, businessId, ...range };
  const command: UndoJobChange = { type: 'UndoJobChange', at: now, data };
  return jobDecider.decide(command, fold(jobDecider, history));
}
