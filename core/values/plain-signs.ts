/**
 * What a sign of a text reads like, in plain ones: nothing for what cannot be seen, a hyphen for every dash, a dot for every full stop
 * that browsers take for one, digits of any script and signs of full width as ASCII.
 */
export function plainSign(sign: string): string {
  if (/[\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(sign)) return '';
  if (/\p{Pd}|−/u.test(sign)) return '-';
  if (/\p{Zs}/u.test(sign)) return ' ';
  if (/[。｡܁܂꘎]/u.test(sign)) return '.';
  const plain = sign.normalize('NFKC');
  return /^\p{Nd}$/u.test(plain) ? digitOf(plain) : plain;
}

/** A whole text in plain signs. */
export function plainText(text: string): string {
  return isPlain(text) ? text : Array.from(text.normalize('NFC'), plainSign).join('');
}

/** Whether a text holds plain signs alone. */
export function isPlain(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII is what needs no folding.
  return /^[\x00-\x7f]*$/.test(text);
}

/** A digit of any script: they stand ten together, zero first. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/**
 * A number as people paste it, in plain signs. What is raised, circled or a fraction stays as it is: a footnote behind a number
 * is none of its digits.
 */
export function plainNumber(text: string): string {
  return Array.from(text, (sign) => (/\p{No}/u.test(sign) ? sign : plainSign(sign))).join('');
}
