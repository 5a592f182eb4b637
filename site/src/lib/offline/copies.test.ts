import { expect, test } from 'vitest';
import { createCopies } from './copies.ts';
import type { CopyStore, SealedCopy } from './copy-store.ts';

const day = 86_400_000;
const jobs = { jobs: [{ name: 'Aroha Tāwhiri', phone: '+61491570156' }] };

function memory(): Omit<CopyStore, 'clear'> & { held: Map<string, SealedCopy> } {
  const held = new Map<string, SealedCopy>();
  return {
    held,
    put: async (copy) => void held.set(copy.path, copy),
    get: async (path) => held.get(path),
    paths: async () => [...held.keys()],
    async dropUntil(at) {
      for (const copy of held.values()) if (copy.at <= at) held.delete(copy.path);
    },
  };
}

test('an answer is read again under the same token, with the time it is from', async () => {
  const copies = createCopies(memory(), () => 1_000);
  await copies.store('token', '/jobs', jobs);
  expect(await copies.read('token', '/jobs')).toEqual({ payload: jobs, at: 1_000 });
  expect(await copies.read('token', '/jobs/1')).toBeNull();
  expect(await copies.paths()).toEqual(['/jobs']);
});

test('what is held shows nothing of a customer, and nothing at all under another token', async () => {
  const store = memory();
  const copies = createCopies(store);
  await copies.store('token', '/jobs', jobs);
  const held = store.held.get('/jobs');
  expect(new TextDecoder().decode(held?.sealed)).not.toMatch(/Aroha|491 ?570 ?156|jobs/);
  expect(await createCopies(store).read('other', '/jobs')).toBeNull();
  expect(await copies.read('', '/jobs')).toBeNull();
});

test('a copy put in the place of another is not read', async () => {
  const store = memory();
  const copies = createCopies(store);
  await copies.store('token', '/jobs/1', jobs);
  store.held.set('/jobs/2', { ...(store.held.get('/jobs/1') as SealedCopy), path: '/jobs/2' });
  expect(await copies.read('token', '/jobs/2')).toBeNull();
});

test('copies are gone after seven days', async () => {
  let now = 0;
  const copies = createCopies(memory(), () => now);
  await copies.store('token', '/jobs', jobs);
  now = 7 * day;
  expect(await copies.read('token', '/jobs')).not.toBeNull();
  now += 1;
  expect(await copies.read('token', '/jobs')).toBeNull();
});

test('an answer with a removed customer takes along all from before that, and what is a week old goes in any case', async () => {
  const store = memory();
  let now = Date.parse('2026-11-20T00:00:00.000Z');
  const copies = createCopies(store, () => now);
  await copies.store('token', '/jobs/1', jobs);
  now += 6 * day;
  await copies.store('token', '/jobs/2', { job: { name: 'Hemi' } });
  expect(await copies.paths()).toEqual(['/jobs/1', '/jobs/2']);
  now += day + 1;
  await copies.store('token', '/jobs?filter=', { jobs: [{ erasedAt: '2026-11-25T00:00:00.000Z' }] });
  expect(await copies.paths()).toEqual(['/jobs/2', '/jobs?filter=']);
  const erasedAt = new Date(now - 1_000).toISOString();
  await copies.store('token', '/jobs?filter=', { jobs: [{ erasedAt }, { name: 'Aroha' }] });
  expect(await copies.paths()).toEqual(['/jobs?filter=']);
});

test('a browser that refuses storage has no copies, and nothing breaks', async () => {
  const refuse = () => Promise.reject(new DOMException('No', 'SecurityError'));
  const copies = createCopies({ put: refuse, get: refuse, paths: refuse, dropUntil: refuse });
  await copies.store('token', '/jobs', jobs);
  expect(await copies.read('token', '/jobs')).toBeNull();
  expect(await copies.paths()).toEqual([]);
});
