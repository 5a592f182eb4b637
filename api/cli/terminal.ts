/** What a terminal obeys instead of showing it, and marks that turn the order of a line. */
const obeyed = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text as a terminal shows it and does not obey it: control characters but line feeds and tabs stand as JSON writes them (`\u001b`),
 * so that a line of JSON means the same afterwards.
 */
export function shownInTerminal(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(obeyed, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** To stdout, where scripts read it. */
export function print(lines: readonly string[]): void {
  for (const line of lines) console.log(shownInTerminal(line));
}

/** To stderr: an error's message may name what a stranger wrote. */
export function printError(message: string): void {
  console.error(shownInTerminal(message));
}
