import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn } from './source-files.ts';

/** Without comments, in one line, so that a statement is seen however it is broken. */
const scripts = filesIn('migrations')
  .filter((file) => file.endsWith('.sql'))
  .map((file) => ({
    file,
    sql: readFileSync(file, 'utf8').replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').toLowerCase(),
  }));
const matching = (pattern: RegExp) =>
  scripts.filter(({ sql }) => pattern.test(sql)).map(({ file }) => file.split('/').at(-1));

test('nothing that runs stands in the schema `read`, whose owner is ute_app', () => {
  const made =
    /create (?:or replace )?(?:function|procedure|aggregate|operator|domain|type|view|rule|trigger [^;]* on) "?read"?\./;
  expect(matching(made)).toEqual([]);
  expect(matching(/alter (?:function|procedure|routine) [^;]* set schema "?read"?\b/)).toEqual([]);
});

test('a read model makes its tables itself: a migration makes what says how far they are, and no more', () => {
  const made = /create (?:unlogged )?table (?:if not exists )?("?read"?\.\w+)/g;
  const names = scripts.flatMap(({ sql }) => [...sql.matchAll(made)].map(([, name]) => name));
  expect(names).toEqual(['read.checkpoints', 'read.projection_parked']);
  expect(matching(/alter table [^;]* set schema "?read"?\b/)).toEqual([]);
});

test("the owner calls nothing of `read`, and neither reads nor writes its rows: triggers, rules and views run with the caller's rights", () => {
  expect(matching(/\b(?:select|perform|call|execute(?: function| procedure)?) "?read"?\./)).toEqual([]);
  expect(matching(/\b(?:from|join|into|update|using|only|copy|truncate) "?read"?\./)).toEqual([]);
});
