import type { Clock, JobTools, Piece } from '#api/assistant/assistant.ts';
import { byDay } from '#api/assistant/embedded/answer-wording.ts';
import { howPieces } from '#api/assistant/embedded/help-answers.ts';
import { proposeChange, proposeNote } from '#api/assistant/embedded/job-answers.ts';
import { plainText } from './sentences.ts';
import { type ToolMaker, toolInputs } from './tool-inputs.ts';

/** Proposals in one answer: more buttons than a person reads before pressing would be a trap. */
const MOST_PROPOSALS = 3;
const MOST_LISTS = 3;
const ENOUGH = { problem: 'That is enough in one answer.' };

/**
 * Tools that put something before the tradie: rows of jobs, a page of the product, a change to press the button of. What
 * stands beside a button is our own text, of the job as it is now; `show` takes the pieces.
 */
export function showingTools(
  make: ToolMaker,
  tools: JobTools,
  clock: Clock,
  show: (pieces: readonly Piece[]) => void,
) {
  const proposed = new Set<string>();
  let lists = 0;
  const propose = (pieces: readonly Piece[]) => {
    const offered = pieces.find((piece) => piece.kind === 'proposal');
    if (!offered)
      return { problem: pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(' ') };
    const key = JSON.stringify(offered.proposal);
    if (proposed.has(key)) return { shown: 'The tradie sees this button already.' };
    if (proposed.size === MOST_PROPOSALS) return ENOUGH;
    proposed.add(key);
    show(pieces);
    return { shown: 'The tradie sees the job and a button. Nothing has changed yet.' };
  };
  return {
    show_jobs: make('Shows up to five jobs as rows that open them.', toolInputs.jobs, async ({ ids }) => {
      if (lists === MOST_LISTS) return ENOUGH;
      const found = await Promise.all([...new Set(ids)].map((id) => tools.job(id)));
      const jobs = found.filter((job) => job !== null);
      if (jobs.length === 0) return { problem: 'There are no such jobs.' };
      lists += 1;
      show([{ kind: 'jobs', jobs: byDay(jobs, clock) }]);
      return { shown: jobs.length };
    }),
    open_page: make(
      'Shows a link to a page of the product: the job form for customers, its questions, adding a job, notifications, password, profile, booking times, signing out.',
      toolInputs.page,
      async ({ page }) => {
        show((await howPieces(page, tools)).filter(({ kind }) => kind === 'link'));
        return { shown: page };
      },
    ),
    propose_change: make(
      'Shows a button that accepts or rejects a job, or sets its status. Only when the tradie asked for it.',
      toolInputs.change,
      async ({ id, change }) => {
        const kind =
          change === 'accept' || change === 'reject'
            ? ({ kind: change } as const)
            : ({ kind: 'status', status: change } as const);
        return propose(await proposeChange({ job: { ids: [id] }, change: kind }, tools, clock));
      },
    ),
    propose_note: make(
      'Shows a button that puts a note below those of a job. Only when the tradie asked for it.',
      toolInputs.note,
      async ({ id, note }) => {
        const plain = note.split('\n').map(plainText).join('\n').trim();
        return propose(await proposeNote({ job: { ids: [id] }, note: plain }, tools, clock));
      },
    ),
  };
}
