/** What a line says: the event's name, then names, positions and reasons; no personal data. */
export type LogFields = Readonly<{ event: string; [field: string]: unknown }>;

/** The part of a pino logger that the runtime needs. */
export type Log = Readonly<Record<'info' | 'warn' | 'error', (fields: LogFields) => void>>;

/** Says nothing. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
