import { beforeEach, expect, test, vi } from 'vitest';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { draftOf } from './form-body.ts';

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
});

test('what was typed survives a reload, per business', () => {
  draftOf('acme').saveValues({ title: 'Tap' });
  expect(draftOf('acme').values()).toEqual({ title: 'Tap' });
  expect(draftOf('other').values()).toEqual({});
});

test('the same request has the same key after a reload, a changed one gets another', () => {
  let number = 0;
  const newKey = () => `key ${(number += 1)}`;
  expect(draftOf('acme').keyFor('tap', newKey)).toBe('key 1');
  expect(draftOf('acme').keyFor('tap', newKey)).toBe('key 1');
  expect(draftOf('acme').keyFor('taps', newKey)).toBe('key 2');
});

test('once it is sent nothing is left', () => {
  const draft = draftOf('acme');
  draft.saveValues({ title: 'Tap' });
  draft.remove();
  expect(draft.values()).toEqual({});
});

test('a browser that refuses storage stores nothing and breaks nothing', () => {
  vi.stubGlobal('sessionStorage', undefined);
  const draft = draftOf('acme');
  draft.saveValues({ title: 'Tap' });
  expect(draft.values()).toEqual({});
  expect(draft.keyFor('tap', () => 'key')).toBe('key');
  draft.remove();
});
