import { type DestinationStream, type Logger, pino } from 'pino';
import { contextOf } from './request-context.ts';

/** How long a line may wait for others, in milliseconds, and how many bytes of them go out at once at the latest. */
const GROUPED = { periodicFlush: 100, minLength: 8_192 };

/** JSON lines on stderr (stdout is for scripts), or to `destination`. Callers log named, harmless fields, never whole objects. */
export function createLogger(level: string, destination: DestinationStream = groupedStderr()): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** A write per line costs a busy process a fifth of its time. What waits goes out when the process exits. */
function groupedStderr(): DestinationStream {
  return pino.destination({ dest: 2, sync: false, ...GROUPED });
}

type Answered = Readonly<{
  request: Request;
  route: string | undefined;
  set: { status?: number | string | undefined };
  responseValue: unknown;
}>;

/** One line per answer: method, route template, status, milliseconds, request id, business. Never path, query, headers or body. */
export function logRequest(logger: Logger, { request, route, set, responseValue }: Answered): void {
  const { id, startedAt } = contextOf(request);
  const seconds = (performance.now() - startedAt) / 1_000;
  logAnswer(logger, { ...answeredAs({ request, route, set, responseValue }), seconds, id });
}

/** What may be known of an answer outside of it. */
export function answeredAs({ request, route, set, responseValue }: Answered) {
  return {
    method: request.method,
    route: route || 'unmatched',
    status: statusOf(set.status, responseValue),
    business: contextOf(request).session?.businessId,
  };
}

type Line = Readonly<{
  method: string;
  route: string;
  status: number;
  seconds: number;
  id: string;
  business?: string | undefined;
}>;

function logAnswer(logger: Logger, { method, route, status, seconds, id, business }: Line): void {
  logger.info({ event: 'request', method, route, status, ms: toMs(seconds), id, business });
}

/** The same line for answers that differ in time and id alone: what they share is written out once. */
export function likeAnswers(
  logger: Logger,
  { method, route, status }: Pick<Line, 'method' | 'route' | 'status'>,
): (seconds: number, id: string) => void {
  const alike = logger.child({ event: 'request', method, route, status });
  return (seconds, id) => alike.info({ ms: toMs(seconds), id });
}

/** Milliseconds to a tenth. */
function toMs(seconds: number): number {
  return Math.round(seconds * 10_000) / 10;
}

/** The status that was sent: a handler's own Response has its status in itself. */
export function statusOf(set: number | string | undefined, responseValue: unknown): number {
  if (responseValue instanceof Response) return responseValue.status;
  return typeof set === 'number' ? set : 200;
}

/**
 * What went wrong, by name, code and place: an error's message may repeat what a person sent. An outage (503) is a
 * warning, and not worth its place: there is one for each request meanwhile.
 */
export function logFailure(logger: Logger, ref: string, error: unknown, status: number): void {
  if (status === 503) logger.warn({ event: 'failure', ref, ...describe(error), at: undefined });
  else logger.error({ event: 'failure', ref, ...describe(error) });
}

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    code: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
    at: frames.slice(0, 8).map((line) => line.trim()),
    cause: error.cause === undefined ? undefined : describe(error.cause),
  };
}
