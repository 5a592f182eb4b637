import { expect, test } from 'vitest';
import { projections } from '#projections/registry.ts';
import { erasedColumns } from './table.ts';

test('an erasure clears every column of a table of jobs that is declared as personal', () => {
  const personal = projections
    .flatMap(({ tables }) => tables)
    .filter(({ columns }) => 'job_id' in columns)
    .flatMap(({ name, columns }) =>
      Object.entries(columns).flatMap(([column, { isPersonal }]) =>
        isPersonal ? [`${name}.${column}`] : [],
      ),
    );
  expect(personal.length).toBeGreaterThan(10);
  const cleared = Object.entries(erasedColumns).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => `${table}.${column}`),
  );
  expect(personal.filter((column) => !cleared.includes(column))).toEqual([]);
});
