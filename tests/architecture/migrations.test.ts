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
  // 0026 makes it anew elsewhere.
  expect(matching(made).toSorted()).toEqual(['0015-rows-of-one-business.sql']);
  expect(matching(/alter (?:function|procedure|routine) [^;]* set schema "?read"?\b/)).toEqual([]);
});

test('a read model makes its tables itself: none is made by a migration after 0022', () => {
  const made = /create (?:unlogged )?table (?:if not exists )?"?read"?\./;
  expect(matching(made).toSorted()).toEqual([
    '0003-read-models.sql',
    '0009-enquiry-forms.sql',
    '0011-job-search.sql',
    '0012-job-details.sql',
    '0022-job-cards-without-contact.sql',
  ]);
  expect(matching(/alter table [^;]* set schema "?read"?\b/)).toEqual([]);
});

test("the owner calls nothing of `read`, and neither reads nor writes its rows: triggers, rules and views run with the caller's rights", () => {
  expect(matching(/\b(?:select|perform|call|execute(?: function| procedure)?) "?read"?\./)).toEqual([]);
  expect(matching(/\b(?:from|join|into|update|using|only|copy|truncate) "?read"?\./)).toEqual([]);
});
