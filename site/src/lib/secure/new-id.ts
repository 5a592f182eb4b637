/** A new UUID, over plain http too: the browser's own needs https. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(36));
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit, at) =>
    // Four bits of chance in each place, two in that of `8`.
    (Number(digit) ^ ((bytes[at] ?? 0) & (15 >> (Number(digit) / 4)))).toString(16),
  );
}
