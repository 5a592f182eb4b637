/** An answer with its body parsed where it is JSON. */
export type Answer = Readonly<{
  status: number;
  headers: Headers;
  text: string;
  body: any;
}>;

export type Client = Readonly<{
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Any request; `body` is sent as it is. */
  send(
    method: string,
    path: string,
    init?: { body?: BodyInit; headers?: Record<string, string> },
  ): Promise<Answer>;
}>;

type Handler = { handle(request: Request): Promise<Response> | Response };

/** Calls a server through the network, and follows no redirect. An answer may take thirty seconds. */
export function fetchClient(url: string, always: Readonly<Record<string, string>> = {}): Client {
  const handle = (request: Request) =>
    fetch(new Request(request, { redirect: 'manual', signal: AbortSignal.timeout(30_000) }));
  return apiClient({ handle }, always, url);
}

/** Calls an app in process. Paths start with a slash, `/api` included. */
export function apiClient(
  app: Handler,
  always: Readonly<Record<string, string>> = {},
  base = 'http://localhost',
): Client {
  const send: Client['send'] = async (method, path, { body, headers = {} } = {}) => {
    const request = new Request(base + path, {
      method,
      headers: { ...always, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return answerOf(await app.handle(request));
  };
  const sendJson = (method: string) => (path: string, body?: unknown, headers?: Record<string, string>) =>
    send(method, path, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
  return {
    send,
    get: (path, headers) => send('GET', path, headers ? { headers } : {}),
    post: sendJson('POST'),
    put: sendJson('PUT'),
    delete: sendJson('DELETE'),
  };
}

/** Every answer of every test passes here: 403 signs people out, so it says that a session is dead and nothing else. */
async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const json = headers.get('content-type')?.includes('application/json') ?? false;
  const body = json && text !== '' ? JSON.parse(text) : undefined;
  if (status === 403 && text !== '' && body?.message !== 'Session timed out') {
    throw new Error(`403 for something else: ${text}`);
  }
  return { status, headers, text, body };
}
