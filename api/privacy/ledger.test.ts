import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { fileLedger, parseLedger } from './ledger.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder('ledger');
});
afterEach(() => folder.remove());

const aLedger = () => fileLedger(join(folder.path, 'deep', 'erasures.log'));
const at = '2026-11-23T09:00:00.000Z';
const line = (subject: string, erasureId = 'e1') => ({ at, erasureId, subject });

test('it is there with its first line before anything is erased', async () => {
  const ledger = aLedger();
  expect(await ledger.read()).toBeNull();
  await ledger.append([]);
  expect(await ledger.read()).toEqual({ lines: [], isWhole: true });
  expect(statSync(ledger.file).mode & 0o777).toBe(0o600);
});

test('what is added stays, in order, and each subject stands there once', async () => {
  const ledger = aLedger();
  await ledger.append([line('customer-1'), line('customer-2')]);
  await ledger.append([line('customer-2', 'e2'), line('demo-3', 'e2')]);
  await ledger.append([line('customer-1', 'e3')]);
  const read = await ledger.read();
  expect(read).toEqual({
    lines: [line('customer-1'), line('customer-2'), line('demo-3', 'e2')],
    isWhole: true,
  });
});

test('half a line that a killed process left is passed over, and the next line follows the last whole one', async () => {
  const ledger = aLedger();
  await ledger.append([line('customer-1')]);
  appendFileSync(ledger.file, '2026-11-23T09:00:00.000Z e1 custo');
  await ledger.append([line('customer-2')]);
  expect(await ledger.read()).toEqual({ lines: [line('customer-1'), line('customer-2')], isWhole: true });
});

test('a line that was changed, taken out, swapped or put in shows, and all the others are still read', async () => {
  const ledger = aLedger();
  await ledger.append(['1', '2', '3', '4'].map((n) => line(`customer-${n}`)));
  const lines = readFileSync(ledger.file, 'utf8').trimEnd().split('\n');
  const [, first = '', second = '', third = ''] = lines;
  const broken = [
    lines.with(2, second.replace('customer-2', 'customer-9')),
    lines.toSpliced(2, 1),
    lines.with(2, third).with(3, second),
    lines.toSpliced(2, 0, first),
    lines.slice(1),
  ];
  for (const changed of broken) {
    const { isWhole, lines: read } = parseLedger(`${changed.join('\n')}\n`);
    expect(isWhole).toBe(false);
    expect(read.length).toBeGreaterThanOrEqual(3);
  }
  writeFileSync(ledger.file, '');
  expect(await ledger.read()).toEqual({ lines: [], isWhole: false });
});
