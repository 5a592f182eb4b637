import { types } from 'pg';
import ts from 'typescript';
import type { Described } from './describe.ts';

const { builtins } = types;
const STRINGS: readonly number[] = [
  builtins.TEXT,
  builtins.VARCHAR,
  builtins.UUID,
  builtins.INT8,
  builtins.NUMERIC,
  builtins.REGCLASS,
  /** name, "char" */
  19,
  18,
];
const NUMBERS: readonly number[] = [
  builtins.INT2,
  builtins.INT4,
  builtins.OID,
  builtins.FLOAT4,
  builtins.FLOAT8,
];
const DATES: readonly number[] = [builtins.TIMESTAMPTZ, builtins.TIMESTAMP, builtins.DATE];
/** By the type of an array that of its items, as the driver takes it apart. */
const ARRAYS: ReadonlyMap<number, number> = new Map([
  [1009, builtins.TEXT],
  [2951, builtins.UUID],
  [1016, builtins.INT8],
  [1007, builtins.INT4],
  [1001, builtins.BYTEA],
  [1000, builtins.BOOL],
  [1185, builtins.TIMESTAMPTZ],
]);
/** Of a function that is called for what it does: there is nothing to read. */
const VOID = 2278;
const JSONS: readonly number[] = [builtins.JSON, builtins.JSONB];

/** What is wrong with a row type, for the columns that Postgres describes. */
export function misfits(checker: ts.TypeChecker, row: ts.TypeNode, columns: readonly Described[]): string[] {
  const type = checker.getTypeFromTypeNode(row);
  const fields = checker.getPropertiesOfType(type);
  const undeclared = columns.filter(
    ({ name, oid }) => oid !== VOID && fields.every((field) => field.name !== name),
  );
  const found = undeclared.map(({ name }) => `${name} is read and not declared`);
  for (const field of fields) {
    const column = columns.find(({ name }) => name === field.name);
    if (!column) found.push(`${field.name} is declared and not read`);
    else {
      const declared = checker.getTypeOfSymbolAtLocation(field, row);
      const isNullable = isNull(declared);
      if (column.isNullable === true && !isNullable) found.push(`${field.name} may be null`);
      const given = checker.getNonNullableType(declared);
      if (!fits(checker, given, column.oid))
        found.push(`${field.name} is ${checker.typeToString(given)}, and of type ${column.oid}`);
    }
  }
  return found;
}

function isNull(type: ts.Type): boolean {
  return type.isUnion() ? type.types.some(isNull) : (type.flags & ts.TypeFlags.Null) !== 0;
}

function fits(checker: ts.TypeChecker, type: ts.Type, oid: number): boolean {
  const name = checker.typeToString(type);
  const item = ARRAYS.get(oid);
  if (item !== undefined) {
    const of = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    return of !== undefined && fits(checker, of, item);
  }
  if (STRINGS.includes(oid)) return checker.isTypeAssignableTo(type, checker.getStringType());
  if (NUMBERS.includes(oid)) return checker.isTypeAssignableTo(type, checker.getNumberType());
  if (oid === builtins.BOOL) return checker.isTypeAssignableTo(type, checker.getBooleanType());
  if (DATES.includes(oid)) return name === 'Date';
  if (oid === builtins.BYTEA) return /^(Buffer|Uint8Array)\b/.test(name);
  // What JSON holds is not Postgres's to say, but that it is no number, text or date of a column.
  return JSONS.includes(oid) && !['string', 'Date', 'Buffer'].includes(name);
}
