/**
 * One quoted text, label or limit of the specification, and the test that shows it.
 * `shownBy` is a test file that holds `text` literally; a row that waits for a later issue names it in `issue` instead.
 */
export type SpecText = Readonly<
  { section: string; text: string } & ({ shownBy: string } | { issue: number })
>;

/** Rows of one section, written `['the text', 'tests/browser/x.e2e.ts']` or `['the text', 4]` for an issue to come. */
export function section(name: string, rows: readonly (readonly [string, string | number])[]): SpecText[] {
  return rows.map(([text, proof]) =>
    typeof proof === 'string'
      ? { section: name, text, shownBy: proof }
      : { section: name, text, issue: proof },
  );
}
