import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { createJob } from './create-job.ts';
import { aJobForm } from './job-form.fixture.ts';
import { emptyJobForm, readJobDraft, saveJobDraft } from './job-form.ts';
import { noHints } from './job-hints-store.ts';

const send = vi.fn();
const zone = 'Australia/Melbourne';
const made = { job: { id: 'j1', revision: 0 }, hints: noHints };
const keys = () => send.mock.calls.map(([, , options]) => options?.headers?.['idempotency-key']);

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  send.mockReset().mockResolvedValue(made);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('sends what was typed, and removes it once the job is made', async () => {
  saveJobDraft(aJobForm());
  expect(await createJob(aJobForm(), zone, send)).toEqual(made);
  expect(send).toHaveBeenCalledWith('POST', '/jobs', {
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
  send.mockRejectedValueOnce(new ApiError(unknownFailure, 0));
  expect(await createJob(aJobForm(), zone, send)).toEqual({
    message: 'An unexpected error occurred',
    fields: {},
  });
  expect(readJobDraft()).toEqual(aJobForm());
  await createJob(aJobForm(), zone, send);
  await createJob(aJobForm(), zone, send);
  const [first, retry, next] = keys();
  expect(retry).toBe(first);
  expect(next).not.toBe(first);
});

test('what was put right after a failure is another body under another key', async () => {
  send.mockRejectedValueOnce(new ApiError(unknownFailure, 503));
  await createJob(aJobForm(), zone, send);
  await createJob(aJobForm({ notes: 'Back gate' }), zone, send);
  expect(new Set(keys()).size).toBe(2);
});

test('the message of the server is shown, and that of each field', async () => {
  const fields = { scheduledAt: 'Choose a time from now on' };
  send.mockRejectedValueOnce(new ApiError('Please check what you entered', 422, fields));
  expect(await createJob(aJobForm(), zone, send)).toEqual({
    message: 'Please check what you entered',
    fields,
  });
});
