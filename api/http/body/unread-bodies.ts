import { BODY_LIMIT } from './body-rules.ts';

/** Milliseconds between the last byte that is taken of a refused body and its end, in which the sender comes to read its answer. */
const PAUSE = 250;
/** Connections that wait for that at once: each holds what had arrived. Beyond them a connection ends at once. */
const PAUSED_AT_ONCE = 32;

const readWhole = new WeakSet<Request>();

/** Says that a body was read to its end, so that its connection may serve the next request. */
export function bodyWasRead(request: Request): void {
  readWhole.add(request);
}

/** Whether a request announces a body of more than `BODY_LIMIT`, or one of unknown length. */
export function announcesLong(headers: Headers): boolean {
  const declared = headers.get('content-length');
  return declared === null ? headers.has('transfer-encoding') : Number(declared) > BODY_LIMIT;
}

type Handle = (...given: unknown[]) => Response | Promise<Response>;

/**
 * Ends the connection with the answer, whichever it is, where a long body was not read to its end: what is still on its way is
 * neither held nor received. For `wrap` of the app, since a refusal may come from any route or hook.
 */
export function endUnreadBodies() {
  let paused = 0;

  async function pause(): Promise<void> {
    if (paused >= PAUSED_AT_ONCE) return;
    paused += 1;
    await Bun.sleep(PAUSE);
    paused -= 1;
  }

  async function closing(request: Request, answering: Response | Promise<Response>) {
    const answer = await answering;
    if (readWhole.has(request)) return answer;
    // A sender that still writes as its connection ends never sees the answer: unread, the connection first comes to a halt.
    await pause();
    const ended = new Response(answer.body, answer);
    ended.headers.set('connection', 'close');
    return ended;
  }

  return (handle: (...given: unknown[]) => unknown): Handle =>
    (...given) => {
      const [request] = given as [Request];
      const answer = handle(...given) as Response | Promise<Response>;
      return announcesLong(request.headers) ? closing(request, answer) : answer;
    };
}
