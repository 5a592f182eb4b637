/** Whom a record of a job is made for: it decides which fields are open. */
export const recordAudiences = ['owner', 'customer'] as const;
export type RecordAudience = (typeof recordAudiences)[number];

/** Who had a record of a job made. */
export const recordMakers = ['tradie', 'customer', 'operator'] as const;
export type RecordMaker = (typeof recordMakers)[number];

/** How far ahead a dispute may keep what is known of a job, in months, and the letters of its reason. */
export const disputeLimits = { months: 12, reason: 300 } as const;

export const disputeUntilMessage = `Choose a day within the next ${disputeLimits.months} months`;
export const disputeReasonMessage = `Use at most ${disputeLimits.reason} characters`;
