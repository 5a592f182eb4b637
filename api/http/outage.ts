const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ERR_SOCKET_CLOSED',
]);

/** SQLSTATE classes: 08 connection, 53 resources (full disk, too many clients), 57P shutdown, 58 system. */
const OUTAGE_STATE = /^(08|53|57P|58)/;

/** What pg says without a code. */
const CONNECTION_LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Connection ended|Cannot use a pool after calling end)/;

/** Whether an error means that Postgres is away, full or restarting, and not that we asked wrongly. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (UNREACHABLE.has(code) || (code.length === 5 && OUTAGE_STATE.test(code)) || code === '57014')
    return true;
  if (CONNECTION_LOST.test(error.message)) return true;
  return error instanceof AggregateError && error.errors.some(isOutage);
}
