import { expect, test } from 'vitest';
import { introLength, introProblem } from './business.ts';
import { demoProblemOf, demoRequestLengths } from './demo-request.ts';
import { jobNotesLength, jobRequestLengths, newJobProblem, problemOf } from './job-form.ts';
import { businessNameLength, businessNameProblem, firstNameProblem, personNameLength } from './names.ts';
import { disputeLimits, keepingProblems } from './stored-details.ts';

const at = '2026-11-25T09:00:00.000Z';
const keeping = (reason: string) => keepingProblems({ until: '2026-12-25T09:00:00.000Z', reason }, at).reason;

/** Each limit of a text that people write, and what is wrong with a text. */
const limits: readonly (readonly [string, number, (text: string) => string | null | undefined])[] = [
  ['a first name', personNameLength.max, firstNameProblem],
  ['a business name', businessNameLength.max, businessNameProblem],
  ['the words about a business', introLength, introProblem],
  ['a title', jobRequestLengths.title, (text) => problemOf('title', text, null)],
  ['a message', jobRequestLengths.description, (text) => problemOf('description', text, null)],
  ['notes', jobNotesLength, (text) => newJobProblem('notes', text, null)],
  ['the name of a prospect', demoRequestLengths.name, (text) => demoProblemOf('name', text)],
  ['the reason of a dispute', disputeLimits.reason, keeping],
];

test.each(limits)('%s ends at %i characters, an emoji being one', (_name, most, problemOf) => {
  for (const one of ['x', 'ā', '👷']) {
    expect(problemOf(one.repeat(most)) ?? null).toBeNull();
    expect(problemOf(one.repeat(most + 1))).toMatch(new RegExp(`at most ${most} characters`));
  }
});
