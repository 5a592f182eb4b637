/** How often each fault is provoked: once among the other tests, twenty times by `bun run faults`, which sets `FAULT_ROUNDS`. */
export const faultRounds = Number(process.env['FAULT_ROUNDS'] ?? 1);

/** The same for the name of a test. */
export const faultTimes = faultRounds === 1 ? 'once' : `${faultRounds} times`;

/** Whether all points of a sweep are tried in all ways, as `bun run faults` does, or a share of them. */
export const everyFault = faultRounds >= 20;
