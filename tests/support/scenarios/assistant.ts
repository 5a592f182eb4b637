import type { Earlier, Piece } from '#api/assistant/assistant.ts';
import type { SignedIn, TestApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import { type ProviderServer, providerServer } from '#tests/support/servers/providers.ts';

export type ChatAnswer = Readonly<{
  pieces: readonly Piece[];
  /** All sentences of the answer, with spaces between. */
  said: string;
  titles: readonly string[];
  /** The answer as it went over the wire. */
  text: string;
}>;

/** A token of the assistant, for the signed-in account. */
export async function chatToken(owner: SignedIn): Promise<string> {
  return (await owner.get('/api/authenticate/chatbot')).body.token;
}

/** Asks the assistant as a tradie, after what went before; the answer is read to its end. */
export async function askKel(
  app: TestApp,
  owner: SignedIn,
  message: string,
  earlier?: readonly Earlier[],
): Promise<ChatAnswer> {
  return chatAnswer(await postToKel(app, owner, { message, ...(earlier ? { earlier } : {}) }));
}

/** The same with the answer as it is, whole or broken off. */
export async function postToKel(app: TestApp, owner: SignedIn, body: object): Promise<Answer> {
  const kel = app.as({ authorization: `Bearer ${await chatToken(owner)}` });
  return kel.post('/api/chatbot/messages', body);
}

/** What a page tells of an exchange with the next message. */
export function exchange(question: string, { said, pieces }: ChatAnswer): Earlier {
  const jobs = pieces.flatMap((piece) => {
    if (piece.kind === 'jobs') return piece.jobs.map(({ id }) => id);
    return piece.kind === 'proposal' ? [piece.proposal.jobId] : [];
  });
  return { question, answer: said, jobs: [...new Set(jobs)] };
}

/** The pieces of a streamed answer. Throws unless it came to its end. */
export function chatAnswer({ status, text }: Answer): ChatAnswer {
  const events = text.split('\n\n').filter(Boolean);
  if (status !== 200 || events.at(-1) !== 'event: done\ndata: {}')
    throw new Error(`not a whole answer: ${status} ${text}`);
  const pieces: Piece[] = events.slice(0, -1).map((event) => JSON.parse(event.replace(/^.*\ndata: /, '')));
  const said = pieces.flatMap((piece) => (piece.kind === 'text' ? piece.text : [])).join(' ');
  const titles = pieces.flatMap((piece) =>
    piece.kind === 'jobs' ? piece.jobs.map(({ title }) => title) : [],
  );
  return { pieces, said, titles, text };
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
