/** One quoted text, label or limit of the specification; `shownBy` is a test file that holds `text` literally. */
export type SpecText = Readonly<{ section: string; text: string; shownBy: string }>;

/** Rows of one section, written `['the text', 'tests/browser/x.e2e.ts']`. */
export function section(name: string, rows: readonly (readonly [string, string])[]): SpecText[] {
  return rows.map(([text, shownBy]) => ({ section: name, text, shownBy }));
}
