/** How far ahead a dispute may keep what is known of a job, in months, and the letters of its reason. */
export const disputeLimits = { months: 12, reason: 300 } as const;

export const disputeUntilMessage = `Choose a day within the next ${disputeLimits.months} months`;
export const disputeReasonMessage = `Use at most ${disputeLimits.reason} characters`;
