import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerJob, changeJob, undoChange } from './jobs-api.ts';

beforeEach(() => vi.stubGlobal('document', { documentElement: { dataset: {} } }));
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['an answer', () => answerJob('j1', 'accept')],
  ['a change', () => changeJob('j1', { status: 'Paid' })],
  ['an undo', () => undoChange('j1', { revision: 1 })],
])('%s goes out even while the page is being left', async (_, send) => {
  const fetched = vi.fn(async () => Response.json({ status: 'ok', job: {} }));
  vi.stubGlobal('fetch', fetched);
  await send();
  expect(fetched).toHaveBeenCalledExactlyOnceWith(
    expect.any(String),
    expect.objectContaining({ keepalive: true }),
  );
});
