import { beforeEach, expect, test, vi } from 'vitest';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { sentRequest } from './sent-request.ts';

const sent = {
  reference: 'A1B2C3',
  at: 1_767_000_000_000,
  values: { title: 'Leak' },
  previews: ['data:,'],
  unsentFiles: 1,
};

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
});

test('what was sent is taken once by the page that confirms it, for its own business', () => {
  sentRequest('acme').save(sent);
  expect(sentRequest('other').take()).toBeNull();
  expect(sentRequest('acme').take()).toEqual(sent);
  expect(Object.keys(sessionStorage)).toEqual([]);
  expect(sentRequest('acme').take()).toBeNull();
});

test('what is stored in another shape is not read', () => {
  sessionStorage.setItem('ute.sent.acme', JSON.stringify({ ...sent, at: 'today' }));
  expect(sentRequest('acme').take()).toBeNull();
});

test('a browser that refuses storage breaks nothing', () => {
  vi.stubGlobal('sessionStorage', undefined);
  const refusing = sentRequest('acme');
  refusing.save(sent);
  expect(refusing.take()).toBeNull();
});
