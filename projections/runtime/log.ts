/** The part of a pino logger that the runtime needs. Fields hold names, positions and reasons, no personal data. */
export type Log = Readonly<{
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}>;

/** Says nothing. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
