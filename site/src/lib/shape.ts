/** Whether a value that was stored in the browser still is what the code expects. */
export type Shape<T> = (value: unknown) => value is T;

export const isText: Shape<string> = (value) => typeof value === 'string';
export const isNumber: Shape<number> = (value): value is number =>
  typeof value === 'number' && Number.isFinite(value);
export const isFlag: Shape<boolean> = (value) => typeof value === 'boolean';

export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value): value is T | null => value === null || shape(value);
}

/** A field that may be missing. */
export function orMissing<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value): value is T | undefined => value === undefined || shape(value);
}

export function isOneOf<T extends string>(values: readonly T[]): Shape<T> {
  return (value): value is T => values.some((one) => one === value);
}

export function isListOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(shape);
}

/** Values of one shape under any names. */
export function isMapOf<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> =>
    isObject(value) && Object.values(value).every(shape);
}

/** An object with these fields; others may be there besides. */
export function isRecord<T extends object>(fields: { [K in keyof T]-?: Shape<T[K]> }): Shape<T> {
  const entries = Object.entries<Shape<unknown>>(fields as Record<string, Shape<unknown>>);
  return (value): value is T => isObject(value) && entries.every(([name, shape]) => shape(value[name]));
}

/** The value of a JSON text that has the shape; null for anything else. */
export function readShaped<T>(text: string | null, shape: Shape<T>): T | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return shape(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
