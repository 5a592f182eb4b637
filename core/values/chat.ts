/** Of a conversation with the assistant: lengths in characters. */
export const chatLimits = {
  message: 500,
  problem: 'Write a message of up to 500 characters',
  /** How many exchanges of before go along with a message, the latest of them. */
  earlier: 6,
  /** What goes along of an answer of before: its words, and the jobs that it showed. */
  answer: 1_000,
  jobs: 10,
} as const;
