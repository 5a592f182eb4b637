/** How long a provider is waited for, in milliseconds: longer than a machine may stall. */
export const LONG_TIMEOUT = 30_000;
/** Long enough where no answer comes. */
export const SHORT_TIMEOUT = 2_000;

/** What a sending ended with; null where the provider has it. */
export const failureOf = (sending: Promise<void>): Promise<unknown> =>
  sending.then(
    () => null,
    (error: unknown) => error,
  );

/** What a provider was asked, and a way to say what it answers next. */
export type ProviderServer = Readonly<{
  url: string;
  requests: readonly Readonly<{
    method: string;
    path: string;
    query: Record<string, string>;
    headers: Headers;
    body: any;
  }>[];
  stop(): Promise<void>;
}>;

type ProviderAnswer = (request: Request, url: URL) => Response | Promise<Response>;

/** A real server on this machine that speaks a provider's protocol through `answer`. */
export function providerServer(answer: ProviderAnswer): ProviderServer {
  const requests: ProviderServer['requests'][number][] = [];
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const url = new URL(request.url);
      const body = request.method === 'POST' ? await bodyOf(request.clone()) : null;
      const { method, headers } = request;
      requests.push({
        method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers,
        body,
      });
      return answer(request, url);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, requests, stop: () => server.stop(true) };
}

/** Servers for tests that each need their own: `serve` starts one, `stopServing` stops those that were started. */
export function providerServers() {
  const started: ProviderServer[] = [];
  return {
    serve(answer: ProviderAnswer): ProviderServer {
      const server = providerServer(answer);
      started.push(server);
      return server;
    },
    async stopServing(): Promise<void> {
      await Promise.all(started.splice(0).map((server) => server.stop()));
    },
  };
}

/** JSON as what it says, a form as its fields. */
async function bodyOf(request: Request): Promise<unknown> {
  const isForm = request.headers.get('content-type') === 'application/x-www-form-urlencoded';
  return isForm ? Object.fromEntries(new URLSearchParams(await request.text())) : request.json();
}

/** What a model says in one go: bits of text, then tools that it wants used. `finish` is why it stops. */
export type Said = Readonly<{
  text?: readonly string[];
  calls?: readonly Readonly<{ name: string; input: unknown }>[];
  finish?: string | null;
}>;

/** What it was asked: the request's body, in the words of the protocol. */
export type Asked = Readonly<{
  model: string;
  stream: boolean;
  max_tokens?: number;
  tool_choice?: unknown;
  messages: readonly Readonly<{ role: string; content: unknown; tool_call_id?: string }>[];
  tools?: readonly Readonly<{ function: Readonly<{ name: string; parameters: object }> }>[];
}>;

export type ModelServer = Pick<ProviderServer, 'url' | 'stop'> &
  Readonly<{
    requests(): ProviderServer['requests'];
    /** What it was asked, in order. */
    asked(): readonly Asked[];
    /** Begins anew, at round 0. */
    forget(): void;
  }>;

/** A model's endpoint on this machine. `answer` gets each request and its number within the test, from 0. */
export function modelServer(
  answer: (asked: Asked, round: number, request: Request) => Said | Response | Promise<Said | Response>,
): ModelServer {
  let round = 0;
  let forgotten = 0;
  const server = providerServer(async (request) => {
    const said = await answer(await request.clone().json(), round++, request);
    return said instanceof Response ? said : streamed(linesOf(said));
  });
  return {
    ...{ url: server.url, stop: server.stop },
    requests: () => server.requests.slice(forgotten),
    asked: () => server.requests.slice(forgotten).map(({ body }) => body),
    forget() {
      forgotten = server.requests.length;
      round = 0;
    },
  };
}

/** Lines of the stream of chat completions, one event each. */
export function linesOf({ text = [], calls = [], finish }: Said): string[] {
  const chunk = (delta: object, reason: string | null = null) =>
    JSON.stringify({
      ...{ id: 'chat-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'test-model' },
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  const asked = calls.flatMap(({ name, input }, index) => {
    const whole = typeof input === 'string' ? input : JSON.stringify(input);
    const half = Math.ceil(whole.length / 2);
    const begun = { index, id: `call-${crypto.randomUUID()}`, type: 'function' };
    return [
      chunk({ tool_calls: [{ ...begun, function: { name, arguments: whole.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: whole.slice(half) } }] }),
    ];
  });
  const reason = finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : finish;
  return [
    chunk({ role: 'assistant', content: '' }),
    ...text.map((content) => chunk({ content })),
    ...asked,
    ...(reason === null ? [] : [chunk({}, reason), '[DONE]']),
  ];
}

/** Lines as server-sent events; `open`: and then silence. */
export function streamed(lines: readonly string[], open = false): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    start(controller) {
      for (const line of lines) controller.enqueue(encoder.encode(`data: ${line}\n\n`));
      if (!open) controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
