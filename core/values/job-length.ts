/** How long a job is taken to last, in milliseconds: it has a beginning alone. */
export const jobLength = 3_600_000;
