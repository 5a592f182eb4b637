import { expect, test, vi } from 'vitest';
import { queriesOf } from '#site/lib/http/queries.fixture.ts';
import { createHistories, type HistoryEntry } from './history-store.ts';

const request = vi.fn();
const { jobHistory } = createHistories(queriesOf(request));

const entry = { what: 'opened', revision: 1, text: 'You opened it' } as unknown as HistoryEntry;

test.each([
  ['without a next page', { history: [entry], next: null }],
  ['of a release that answered whole histories', { history: [entry] }],
])('there is nothing earlier than an answer %s', async (name, answer) => {
  request.mockResolvedValueOnce(answer);
  const history = jobHistory(name);
  await history.refresh();
  expect(history.$state.get().data).toMatchObject({ entries: [entry], next: null });
});
