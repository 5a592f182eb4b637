import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { signer } from '#tests/support/log/sample-record.ts';
import { runUte } from '#tests/support/processes/processes.ts';

const sample = 'tests/support/log/sample.ute-record';
let folder: ReturnType<typeof tempFolder>;

beforeAll(() => {
  folder = tempFolder('records');
});
afterAll(() => folder?.remove());

/** Without an installation: no database, no keys. */
const check = (...words: string[]) => runUte({}, 'audit', 'check', ...words);

function written(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
}

test('a record is checked by a key from elsewhere, without an installation', async () => {
  const { out, err, code } = await check(sample, '--key', signer.verifier.vkey);
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toMatch(/^This record fits, and its log is the one that you know\.\n\nProven\n/);
  expect(out).toContain('  Name: Zoë Smith\n');
  expect(out).toContain('\nSaid by Ute\n  No event of this job follows');
});

test('alone it fits itself; changed it does not fit', async () => {
  expect(await check(sample)).toMatchObject({ out: expect.stringContaining('fits itself'), code: 0 });
  const changed = readFileSync(sample, 'utf8').replace('Zoë Smith', 'Zoe Smith');
  const { out, code } = await check(written('changed', changed));
  expect(code).toBe(1);
  expect(out).toContain('\nDoes not fit\n  Name is not what was sealed.\n');
});

test('a checkpoint of another root is not the log of the record', async () => {
  const line = written('receipt.txt', `Log 11 · ${Buffer.alloc(32).toString('base64')}\n`);
  expect(await check(sample, '--checkpoint', line)).toMatchObject({ code: 1 });
});

test('what cannot be read ends with 2', async () => {
  expect(await check(join(folder.path, 'none'))).toMatchObject({ out: '', code: 2 });
  expect(await check(sample, '--checkpoint', written('empty', ''))).toMatchObject({ code: 2 });
  expect(await check(sample, '--key', 'nonsense')).toMatchObject({ code: 2 });
});
