import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toBase64 } from '#core/crypto/base64.ts';
import { noteSigner } from '#core/crypto/note.ts';
import { writeRecord } from '#core/proof/record.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { forgedRecord } from '#tests/support/log/forged-record.ts';
import { origin, sampleRecord, signer } from '#tests/support/log/sample-record.ts';
import { runUte } from '#tests/support/processes/processes.ts';

const sample = 'tests/support/log/sample.ute-record';
const forger = noteSigner(origin, new Uint8Array(32).fill(66));
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
  expect(out).toMatch(/^This record fits\. What you have from elsewhere backs up all of it\.\n\nProven\n/);
  expect(out).toContain('  Name: Zoë Smith\n');
  expect(out).toContain('\nSaid by Ute\n  No event of this job follows');
});

test('alone nothing backs it up; changed it does not fit', async () => {
  expect(await check(sample)).toMatchObject({
    out: expect.stringMatching(/^Nothing backs this record up yet\./),
    code: 0,
  });
  const changed = readFileSync(sample, 'utf8').replace('Zoë Smith', 'Zoe Smith');
  const { out, code } = await check(written('changed', changed));
  expect(code).toBe(1);
  expect(out).toContain('\nDoes not fit\n  Name is not what was sealed.\n');
});

test('a checkpoint of another root is not the log of the record', async () => {
  const line = written('receipt.txt', `Log 11 · ${Buffer.alloc(32).toString('base64')}\n`);
  expect(await check(sample, '--checkpoint', line)).toMatchObject({ code: 1 });
});

test('what a receipt does not reach is only said by the key in the record, and the command ends with 3', async () => {
  const { roots, record, text } = await sampleRecord();
  const receipt = written(
    'receipt-of-7.txt',
    `Log 7 · ${toBase64(roots.get(7) as Uint8Array)} · key 53257636\n`,
  );
  for (const [name, one, said] of [
    ['real', text, '3. The notes were changed'],
    ['forged', writeRecord(await forgedRecord(record, forger)), '4. The status was changed to Completed'],
  ] as const) {
    const { out, code } = await check(written(name, one), '--checkpoint', receipt);
    expect(code).toBe(3);
    expect(out).toMatch(
      /^Only part of this record is backed up\. What you have backs up the first 2 events\./,
    );
    const [, proven = '', unconfirmed = ''] = out.split(/^(?:Proven|Only said by the key in this record)$/m);
    expect(proven).not.toContain(said);
    expect(unconfirmed).toContain(said);
  }
});

test('what cannot be read ends with 2', async () => {
  expect(await check(join(folder.path, 'none'))).toMatchObject({ out: '', code: 2 });
  expect(await check(sample, '--checkpoint', written('empty', ''))).toMatchObject({ code: 2 });
  expect(await check(sample, '--key', 'nonsense')).toMatchObject({ code: 2 });
});
