import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { request } from '#site/lib/http/api.ts';
import { createQueries } from '#site/lib/http/query.ts';
import { copies } from '#site/lib/offline/copies.ts';
import { createQuestions, type FormApi, type Question } from './questions-store.ts';

const fetchQuestions = vi.fn<FormApi['fetchQuestions']>();
const tickQuestion = vi.fn<FormApi['tickQuestion']>();
const { questionsQuery, questionTicks } = createQuestions(
  { fetchQuestions, tickQuestion },
  createQueries({ request, copies }),
);

const question = (id: string, enabled: boolean): Question => ({
  ...{ id, enabled, title: `${id}?`, description: null, necessary: false, tradie: null, trade: null },
  ...{ seq: 1, kind: 'text', options: [], builtIn: false },
});
/** The form as it is with these questions asked, of pets and parking. */
const asking = (...enabled: string[]) => ['pets', 'parking'].map((id) => question(id, enabled.includes(id)));

/** An answer that the test gives when it likes. */
function later() {
  let give: (questions: readonly Question[]) => void = () => undefined;
  const answer = new Promise<readonly Question[]>((resolve) => (give = resolve));
  return { answer, give };
}

let stop = () => {};
beforeEach(() => {
  fetchQuestions.mockReset().mockResolvedValue(asking());
});
afterEach(() => stop());

/** The ticks while the editor is open. */
async function looked() {
  await questionsQuery.refresh();
  const ticks = questionTicks(asking());
  stop = ticks.$switches.listen(() => {});
  return ticks;
}

test('what another tab ticks or asks is there, and a tick on its way stays', async () => {
  const { $switches, turn } = await looked();
  const saving = later();
  tickQuestion.mockReturnValueOnce(saving.answer);
  const done = turn('pets', true);
  fetchQuestions.mockResolvedValue([...asking('parking'), question('their-own', true)]);
  await questionsQuery.refresh();
  expect($switches.get()).toMatchObject({
    values: { pets: true, parking: true, 'their-own': true },
    phases: { pets: 'saving' },
  });
  saving.give([...asking('pets', 'parking'), question('their-own', true)]);
  await done;
  expect($switches.get()).toMatchObject({
    values: { pets: true, parking: true, 'their-own': true },
    phases: { pets: 'saved' },
  });
});

test('what was asked for before a tick was saved does not take the tick back', async () => {
  const { $switches, turn } = await looked();
  const before = later();
  fetchQuestions.mockReturnValueOnce(before.answer).mockResolvedValue(asking('pets'));
  const refreshed = questionsQuery.refresh();
  tickQuestion.mockResolvedValueOnce(asking('pets'));
  await turn('pets', true);
  const values: unknown[] = [];
  const unwatch = $switches.listen((state) => values.push(state.values.pets));
  before.give(asking());
  await refreshed;
  unwatch();
  expect(values).not.toContain(false);
  expect($switches.get()).toMatchObject({ values: { pets: true }, phases: { pets: 'saved' } });
});
