import { BODY_LIMIT } from './body-rules.ts';

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
 * neither held nor received. At once: what arrives of it until then is held by Bun, in fresh memory. For `wrap` of the app, since a
 * refusal may come from any route or hook. `onAnswer` is told of each long body once its answer is known.
 */
export function endUnreadBodies(onAnswer: (request: Request) => void) {
  async function closing(request: Request, answering: Response | Promise<Response>) {
    const answer = await Promise.resolve(answering).finally(() => onAnswer(request));
    if (readWhole.has(request)) return answer;
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
