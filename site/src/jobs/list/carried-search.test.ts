import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { carrySearch, takeCarriedSearch } from './carried-search.ts';

const dashboard = 'https://ute.example/dashboard';
const list = '/jobs/all?view=all&search=o%27neil';
const at = (href: string) => vi.stubGlobal('location', { href });

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  at(dashboard);
});
afterEach(() => vi.unstubAllGlobals());

test('a text goes to the page that it was left for, once', () => {
  carrySearch('o’neil dog', list);
  at(`https://ute.example${list}`);
  expect(takeCarriedSearch()).toBe('o’neil dog');
  expect(takeCarriedSearch()).toBeNull();
});

test('no other page takes it, then or later', () => {
  carrySearch('o’neil dog', list);
  at('https://ute.example/jobs/new?view=new');
  expect(takeCarriedSearch()).toBeNull();
  at(`https://ute.example${list}`);
  expect(takeCarriedSearch()).toBeNull();
});
