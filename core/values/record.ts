/** Whom a record of a job is made for: it decides which fields are open. */
export const recordAudiences = ['owner', 'customer'] as const;
export type RecordAudience = (typeof recordAudiences)[number];

/** Who had a record of a job made. */
export const recordMakers = ['tradie', 'customer', 'operator'] as const;
export type RecordMaker = (typeof recordMakers)[number];
