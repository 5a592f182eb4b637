import { expect, test } from 'vitest';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { sentRequest } from './sent-request.ts';

const sent = { reference: 'A1B2C3', at: 1_767_000_000_000, values: { title: 'Leak' }, previews: ['data:,'] };

test('what was sent is taken once by the page that confirms it, for its own business', () => {
  const storage = new MemoryStorage();
  sentRequest('acme', () => storage).save(sent);
  expect(sentRequest('other', () => storage).take()).toBeNull();
  expect(sentRequest('acme', () => storage).take()).toEqual(sent);
  expect(Object.keys(storage)).toEqual([]);
  expect(sentRequest('acme', () => storage).take()).toBeNull();
});

test('what is stored in another shape is not read', () => {
  const storage = new MemoryStorage();
  storage.setItem('ute.sent.acme', JSON.stringify({ ...sent, at: 'today' }));
  expect(sentRequest('acme', () => storage).take()).toBeNull();
});

test('a browser that refuses storage breaks nothing', () => {
  const refusing = sentRequest('acme', () => {
    throw new DOMException('Refused', 'SecurityError');
  });
  refusing.save(sent);
  expect(refusing.take()).toBeNull();
});
