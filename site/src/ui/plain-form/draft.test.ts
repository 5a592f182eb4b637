import { expect, test } from 'vitest';
import { draftOf } from './form-body.ts';

function memory(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  } as unknown as Storage;
}

test('what was typed survives a reload, per business', () => {
  const storage = memory();
  draftOf('acme', () => storage).saveValues({ title: 'Tap' });
  expect(draftOf('acme', () => storage).values()).toEqual({ title: 'Tap' });
  expect(draftOf('other', () => storage).values()).toEqual({});
});

test('the same request has the same key after a reload, a changed one gets another', () => {
  const storage = memory();
  let number = 0;
  const newKey = () => `key ${(number += 1)}`;
  expect(draftOf('acme', () => storage).keyFor('tap', newKey)).toBe('key 1');
  expect(draftOf('acme', () => storage).keyFor('tap', newKey)).toBe('key 1');
  expect(draftOf('acme', () => storage).keyFor('taps', newKey)).toBe('key 2');
});

test('once it is sent nothing is left', () => {
  const storage = memory();
  const draft = draftOf('acme', () => storage);
  draft.saveValues({ title: 'Tap' });
  draft.remove();
  expect(draft.values()).toEqual({});
});

test('a browser that refuses storage stores nothing and breaks nothing', () => {
  const draft = draftOf('acme', () => {
    throw new DOMException('denied', 'SecurityError');
  });
  draft.saveValues({ title: 'Tap' });
  expect(draft.values()).toEqual({});
  expect(draft.keyFor('tap', () => 'key')).toBe('key');
  draft.remove();
});
