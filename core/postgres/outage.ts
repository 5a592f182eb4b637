import { OutageError } from '#core/kernel/errors.ts';

const UNREACHABLE = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ERR_SOCKET_CLOSED',
  'ETIMEDOUT',
]);

/**
 * SQLSTATE: 08 connection, 53 resources (full disk, too many clients), 57P shutdown, 58 system; a statement, a lock or
 * the next step of a transaction took too long.
 */
const OUTAGE_STATE = /^(08|53|57P|58|57014|55P03|25P03)/;

/** What pg says without a code. */
const CONNECTION_LOST =
  /^(Connection terminated|timeout e(?:xceeded when trying to connect|xpired)|Query read timeout|Client has encountered a connection error|Client was closed|Connection ended|Cannot use a pool after calling end)/;

/** Whether an error means that Postgres is unavailable, full or restarting, and not that we asked wrongly. */
export function isOutage(error: unknown): boolean {
  if (error instanceof OutageError) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (UNREACHABLE.has(code) || (code.length === 5 && OUTAGE_STATE.test(code))) return true;
  if (CONNECTION_LOST.test(error.message)) return true;
  return error instanceof AggregateError && error.errors.some(isOutage);
}
