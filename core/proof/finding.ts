/**
 * `proven` by what the reader has; `said` by a key that the reader has; `unconfirmed`, said by a key that this record alone names;
 * `failed` does not fit.
 */
export type Verdict = 'proven' | 'said' | 'unconfirmed' | 'failed' | 'not-checked';

/**
 * One line of the answer. `revision` and `field` say of which event and which of its fields it speaks; `detail` is a sentence for experts,
 * with the numbers and hashes.
 */
export type Finding = Readonly<{
  verdict: Verdict;
  text: string;
  detail?: string;
  revision?: number;
  field?: string;
}>;

type About = Omit<Finding, 'verdict' | 'text'>;

export const finding = (verdict: Verdict, text: string, about: About = {}): Finding => ({
  verdict,
  text,
  ...about,
});
export const proven = (text: string, about?: About) => finding('proven', text, about);
export const unconfirmed = (text: string, about?: About) => finding('unconfirmed', text, about);
export const failed = (text: string, about?: About) => finding('failed', text, about);
export const notChecked = (text: string, about?: About) => finding('not-checked', text, about);

/** The headings of the lists in which findings are shown, in their order. `issuer` is the product's name. */
export const verdictHeadings = (issuer: string): readonly (readonly [Verdict, string])[] => [
  ['failed', 'Does not fit'],
  ['proven', 'Proven'],
  ['unconfirmed', 'Only said by the key in this record'],
  ['said', `Said by ${issuer}`],
  ['not-checked', 'Not checked'],
];

/** Above what experts read: the details of all findings. */
export const detailsHeading = 'Numbers and hashes';
