import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { createJob } from './create-job.ts';
import { readJobDraft, saveJobDraft } from './job-draft.ts';
import { aJobForm } from './job-form.fixture.ts';
import { emptyJobForm } from './job-form.ts';
import { noHints } from './job-hints-store.ts';

vi.mock('#site/lib/http/api.ts', async (original) => ({
  ...(await original<typeof import('#site/lib/http/api.ts')>()),
  request: vi.fn(),
}));
vi.mock('#site/lib/session/session-store.ts', () => ({ $session: { get: () => ({ token: 'a.b.c' }) } }));

const zone = 'Australia/Melbourne';
const made = { job: { id: 'j1', revision: 0 }, hints: noHints };
const keys = () =>
  vi.mocked(request).mock.calls.map(([, , options]) => options?.headers?.['idempotency-key']);

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.mocked(request).mockReset().mockResolvedValue(made);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('sends what was typed, and removes it once the job is made', async () => {
  saveJobDraft(aJobForm());
  expect(await createJob(aJobForm(), zone)).toEqual(made);
  expect(request).toHaveBeenCalledWith('POST', '/jobs', {
    body: expect.objectContaining({ name: 'Priya Nair', placeId: 'p1', scheduledAt: null }),
    headers: { 'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
  expect(readJobDraft()).toEqual(emptyJobForm);
});

test('a draft that is no job form is none', () => {
  saveJobDraft(aJobForm());
  const [name = ''] = Object.keys(sessionStorage);
  for (const broken of [{ schedule: { day: '2026-13-40', slot: null } }, { address: null }, { name: {} }]) {
    sessionStorage.setItem(name, JSON.stringify({ values: { ...aJobForm(), ...broken } }));
    expect(readJobDraft()).toEqual(emptyJobForm);
  }
});

test('a retry has the key of the first try, another job another', async () => {
  vi.mocked(request).mockRejectedValueOnce(new ApiError(unknownFailure, 0));
  expect(await createJob(aJobForm(), zone)).toEqual({ message: 'An unexpected error occurred', fields: {} });
  expect(readJobDraft()).toEqual(aJobForm());
  await createJob(aJobForm(), zone);
  await createJob(aJobForm(), zone);
  const [first, retry, next] = keys();
  expect(retry).toBe(first);
  expect(next).not.toBe(first);
});

test('what was put right after a failure is another body under another key', async () => {
  vi.mocked(request).mockRejectedValueOnce(new ApiError(unknownFailure, 503));
  await createJob(aJobForm(), zone);
  await createJob(aJobForm({ notes: 'Back gate' }), zone);
  expect(new Set(keys()).size).toBe(2);
});

test('the message of the server is shown, and that of each field', async () => {
  const fields = { scheduledAt: 'Choose a time from now on' };
  vi.mocked(request).mockRejectedValueOnce(new ApiError('Please check what you entered', 422, fields));
  expect(await createJob(aJobForm(), zone)).toEqual({ message: 'Please check what you entered', fields });
});
