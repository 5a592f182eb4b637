/** A statement as `pg` takes it. */
export type Statement = Readonly<{ name?: string; text: string; values: unknown[] }>;

/** More texts than the product has: one that is made from values would otherwise fill the memory of every connection. */
const MOST_NAMES = 500;

const names = new Map<string, string>();

/**
 * A statement that each connection parses once and Postgres plans once: after five runs it keeps a plan that serves any
 * values, until the statistics or the tables change. For lookups by a key and for writes, where all values want the same
 * index. The name follows from the text, so that a statement on another version of a table is another statement.
 * @param text one of few: whatever varies from call to call is a value
 */
export function plannedOnce(text: string, values: unknown[]): Statement {
  const name = names.get(text) ?? nameOf(text);
  return name === undefined ? { text, values } : { name, text, values };
}

/**
 * A statement that Postgres parses and plans at each run, for the values that it is run with. For conditions where one
 * plan is wrong for some values: searches, spans of time, limits. Each use says which.
 */
export function plannedEachTime(text: string, values: unknown[]): Statement {
  return { text, values };
}

/** Names are known to one connection each, so a count of this process is enough. */
function nameOf(text: string): string | undefined {
  if (names.size >= MOST_NAMES) return undefined;
  const name = `ute-${names.size + 1}`;
  names.set(text, name);
  return name;
}
