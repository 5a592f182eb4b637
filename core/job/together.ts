/** All of a union at once. */
export type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** What all parts say under one name, as one object: no two of them use the same key. */
export function together<Part extends object, Key extends keyof Part>(
  parts: readonly Part[],
  key: Key,
): Intersection<Part[Key]> {
  return Object.assign({}, ...parts.map((part) => part[key]));
}
