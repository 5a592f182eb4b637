import { isOutage } from '#core/postgres/outage.ts';

/** The projection's own code or statement failed on a batch, while the database was there. */
export class ApplyError extends Error {
  override readonly name = 'ApplyError';
}

/** What a follower needs besides the database is unavailable: to be tried again, and no event's fault. */
export class FollowerUnavailableError extends Error {
  override readonly name = 'FollowerUnavailableError';
}

/** A batch could not move the checkpoint with what it wrote: another writer did, or the checkpoint is to be locked first. */
export class ChangedMeanwhileError extends Error {
  override readonly name = 'ChangedMeanwhileError';
}

/** Whether a batch met a change that was made after its transaction began. */
export function isChangedMeanwhile(error: unknown): boolean {
  const cause = error instanceof ApplyError ? error.cause : error;
  return cause instanceof ChangedMeanwhileError || sqlState(cause) === '40001';
}

/** Data that does not fit, a broken constraint, a limit of the program: one event's fault, not the database's. */
const poisonClasses = ['22', '23', '54'];

/** Whether an event of the batch is to blame, so that trying it for ever would stall everything behind it. */
export function isPoison(error: unknown): error is ApplyError {
  if (!(error instanceof ApplyError) || error.cause instanceof FollowerUnavailableError) return false;
  const state = sqlState(error.cause);
  return state === undefined || poisonClasses.includes(state.slice(0, 2));
}

/** What may be written down about a failure: its kind, never its message, which can quote a customer. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof ApplyError ? error.cause : error;
  const state = sqlState(cause);
  const name = cause instanceof Error ? cause.name : typeof cause;
  if (state !== undefined) return `${name} ${state}`;
  // A lost or busy connection is a plain Error of pg, of which the name says nothing.
  return name === 'Error' && isOutage(cause) ? 'database unavailable' : name;
}

function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** What a line says: the event's name, then names, positions and reasons; no personal data. */
export type LogFields = Readonly<{ event: string; [field: string]: unknown }>;

/** The part of a pino logger that the runtime needs. */
export type Log = Readonly<Record<'info' | 'warn' | 'error', (fields: LogFields) => void>>;

/** Says nothing. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
