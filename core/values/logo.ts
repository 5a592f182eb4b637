/** Where browsers find a logo by its key in the file store; null for none. */
export function logoPath(key: string | null): string | null {
  return key === null ? null : `/logos/${encodeURIComponent(key)}`;
}
