/** The longest message to the assistant, in characters. */
export const chatLimits = { message: 500, problem: 'Write a message of up to 500 characters' } as const;
