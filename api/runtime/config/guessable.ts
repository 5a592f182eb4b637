/** What examples, templates and tired people write. */
const WORDS =
  /change.?(?:me|it|this)|passw[o0]rd|secret|letmein|qwerty|example|placeholder|insecure|default|minioadmin/i;
/** Neighbours on a keyboard. */
const ROWS = '`1234567890-=qwertyuiop[]asdfghjkl;zxcvbnm,./';

/** Whether the text is a shorter one over and over, such as `abcabcabc`. */
function repeats(signs: readonly unknown[]): boolean {
  return signs.some(
    (_, length) =>
      length > 0 &&
      length * 2 <= signs.length &&
      signs.every((sign, n) => n < length || sign === signs[n - length]),
  );
}

/** Whether most of it goes on by the same small step from sign to sign: 0123, abcd, aaaa. */
function isSequence(places: readonly number[]): boolean {
  const steps = places.slice(1).map((place, n) => place - (places[n] ?? 0));
  return steps.filter((step) => Math.abs(step) <= 1).length * 2 > steps.length;
}

/** Why 32 bytes were not made by chance; a random key is refused less than once in 10^15. */
export function isGuessableKey(key: Uint8Array): boolean {
  const bytes = [...key];
  const steps = new Set(bytes.slice(1).map((byte, n) => (byte - (bytes[n] ?? 0)) & 0xff));
  if (new Set(bytes).size < 12 || steps.size < 8 || repeats(bytes) || isSequence(bytes)) return true;
  const text = Buffer.from(key).toString('latin1');
  return /^[ -~]+$/.test(text) && isGuessable(text);
}

/**
 * Whether a token or password could be tried: few signs, a repetition, a sequence of letters or keys, a word of examples, or its own
 * variable's name.
 */
export function isGuessable(text: string, variable = '', fewest = 8): boolean {
  const lower = text.toLowerCase();
  const own = variable.toLowerCase().replace(/_/g, '');
  return (
    new Set(lower).size < fewest ||
    WORDS.test(text) ||
    (own !== '' && lower.replace(/[^a-z0-9]/g, '').includes(own)) ||
    repeats([...lower]) ||
    isSequence([...lower].map((sign) => sign.charCodeAt(0))) ||
    isSequence([...lower].map((sign) => ROWS.indexOf(sign)))
  );
}
