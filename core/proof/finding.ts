export type Verdict = 'proven' | 'said' | 'failed' | 'not-checked';

/** One line of the answer. `revision` and `field` say of which event and which of its fields it speaks. */
export type Finding = Readonly<{ verdict: Verdict; text: string; revision?: number; field?: string }>;

export const proven = (text: string, about: Partial<Finding> = {}): Finding => ({
  verdict: 'proven',
  text,
  ...about,
});
export const said = (text: string): Finding => ({ verdict: 'said', text });
export const failed = (text: string, about: Partial<Finding> = {}): Finding => ({
  verdict: 'failed',
  text,
  ...about,
});
export const notChecked = (text: string, about: Partial<Finding> = {}): Finding => ({
  verdict: 'not-checked',
  text,
  ...about,
});
