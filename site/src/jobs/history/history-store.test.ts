import { expect, test, vi } from 'vitest';
import { request } from '#site/lib/http/api.ts';
import { type HistoryEntry, jobHistory } from './history-store.ts';

vi.mock('#site/lib/http/api.ts', { spy: true });

const entry = { what: 'opened', revision: 1, text: 'You opened it' } as unknown as HistoryEntry;

test.each([
  ['without a next page', { history: [entry], next: null }],
  ['of a release that answered whole histories', { history: [entry] }],
])('there is nothing earlier than an answer %s', async (name, answer) => {
  vi.mocked(request).mockResolvedValueOnce(answer);
  const history = jobHistory(name);
  await history.refresh();
  expect(history.$state.get().data).toMatchObject({ entries: [entry], next: null });
});
