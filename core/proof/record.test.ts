import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type JobRecord, readRecord, statementEnd, writeRecord, writeUnsigned } from './record.ts';

test('a statement is added to the text of a record as if all of it were written at once', () => {
  const file = join(import.meta.dirname, '../../tests/support/log/sample.ute-record');
  const record = readRecord(readFileSync(file, 'utf8')) as JobRecord;
  const { statement, ...unsigned } = record;
  expect(writeUnsigned(unsigned).slice(0, -1) + statementEnd(statement)).toBe(writeRecord(record));
});
