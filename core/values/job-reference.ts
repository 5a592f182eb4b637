const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 6;

/**
 * What a customer can read out on the phone: six characters of the job's id (a UUID), without I, L, O and U.
 * Says which job, opens nothing. Takes the end of the id, which is random in every UUID we mint.
 */
export function jobReference(jobId: string): string {
  let bits = Number.parseInt(jobId.replaceAll('-', '').slice(-8), 16);
  let reference = '';
  while (reference.length < LENGTH) {
    reference = ALPHABET.charAt(bits % ALPHABET.length) + reference;
    bits = Math.floor(bits / ALPHABET.length);
  }
  return reference;
}

/** Whether a text can be a reference, for a page that shows what its address says. */
export function isJobReference(text: string): boolean {
  return text.length === LENGTH && [...text].every((letter) => ALPHABET.includes(letter));
}
