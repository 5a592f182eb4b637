import { type } from 'arktype';
import { Elysia } from 'elysia';
import { profileOf } from '#api/accounts/sign-in/profile.ts';
import { findSession } from '#api/accounts/sign-in/sessions.ts';
import type { Deps } from '#api/deps.ts';
import { HttpError, ok, sessionTimedOut } from '#api/http/answers.ts';
import { auth, createChatbotTokens } from '#api/http/auth.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import type { AssistantSettings } from '#api/runtime/config/providers.ts';
import { chatLimits } from '#core/values/product.ts';
import { countCharacters } from '#core/values/text.ts';
import { type Assistant, AssistantError, type Piece } from './assistant.ts';
import { createJobTools } from './job-tools.ts';

/** For one account: so many messages in a minute, and in a day. */
const QUICK = { name: 'chat-minute', points: 20, seconds: 60 };
const DAILY = { name: 'chat-day', points: 400, seconds: 86_400 };

/**
 * GET /authenticate/chatbot → { token }, for five minutes and these messages alone · POST /chatbot/messages { message,
 * earlier? }, with that token, → an answer over the business's own jobs as server-sent pieces (`answerStream`). Changes
 * nothing: a change is proposed, and made by the routes of jobs once the tradie says so. Any other token is 401.
 */
export function chatbotRoutes(deps: Deps) {
  const enter = createChatGate(deps);
  const quick = sharedLimiter(deps, QUICK);
  const daily = sharedLimiter(deps, DAILY);
  const assistant = configuredAssistant(deps.config.assistant);
  return new Elysia({ name: 'chatbot' })
    .use(auth(deps))
    .get(
      '/authenticate/chatbot',
      async ({ session }) => ok({ token: await mintChatbotToken(deps, session) }),
      {
        signedIn: true,
      },
    )
    .post(
      '/chatbot/messages',
      async ({ body, request }) => {
        const { session } = contextOf(request);
        if (!session) throw sessionTimedOut();
        await quick.consume(session.accountId);
        await daily.consume(session.accountId);
        const { timeZone, region, slug } = await profileOf(deps, session.accountId);
        const clock = { now: deps.now(), timeZone, region };
        const { businessId } = session;
        const tools = createJobTools(deps, { businessId, slug, now: clock.now, timeZone });
        const { message, earlier = [] } = body;
        const stream = answerStream(
          (signal) => assistant.reply({ message: message.trim(), earlier, signal }, tools, clock),
          {
            gone: request.signal,
            onFailure: (error) =>
              deps.logger.error({ event: 'assistant-failed', ...causeOf(error), ref: contextOf(request).id }),
          },
        );
        return new Response(stream, {
          headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
        });
      },
      {
        body: ChatMessage,
        // Before the body is read: a client without a token learns nothing of what it takes.
        transform: async ({ request }: { request: Request }) => {
          contextOf(request).session = await enter(request.headers);
        },
      },
    );
}

/** Never the error's text: it may repeat what was asked, or what was found. */
function causeOf(error: unknown): Readonly<{ reason: string; status?: number | undefined }> {
  if (error instanceof AssistantError) return { reason: error.reason, status: error.status };
  return { reason: error instanceof Error ? error.name : typeof error };
}

const Id = type(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const Earlier = type({
  '+': 'reject',
  question: type('string').narrow(
    (text, ctx) => countCharacters(text) <= chatLimits.message || ctx.mustBe('shorter'),
  ),
  answer: `string <= ${chatLimits.answer}`,
  jobs: Id.array().atMostLength(chatLimits.jobs),
});

/** The body of `POST /chatbot/messages`: what is asked, and what went before, oldest first. */
const ChatMessage = type({
  '+': 'reject',
  message: type('string').narrow(
    (text, ctx) =>
      (text.trim() !== '' && countCharacters(text) <= chatLimits.message) ||
      ctx.reject({ message: chatLimits.problem }),
  ),
  'earlier?': Earlier.array().atMostLength(chatLimits.earlier),
});

/** The assistant that the environment asks for; without a word of it the embedded one. */
function configuredAssistant(settings: AssistantSettings): Assistant {
  // Loading one takes 100 to 300 ms and 10 to 70 MB: at the first question, and of two only the one that is asked.
  const open = async () =>
    settings.provider === 'embedded'
      ? (await import('./embedded/embedded.ts')).embeddedAssistant
      : (await import('./model/model-assistant.ts')).modelAssistant(settings);
  let opened: Promise<Assistant> | undefined;
  return {
    async *reply(...asked) {
      opened ??= open();
      yield* (await opened).reply(...asked);
    },
  };
}

const encoder = new TextEncoder();
const FAILED = 'That did not work just now. Please try again in a moment';

/**
 * Pieces as server-sent events: `event: text|jobs|proposal|link` with the piece as `data`, at last `event: done`, or
 * `event: failed` with a message. The next piece is made when the reader has room for it. A reader that leaves, or whose
 * request aborts (`gone`), aborts the answer's signal, whatever that is waiting for.
 */
export function answerStream(
  answer: (signal: AbortSignal) => AsyncIterable<Piece>,
  { gone, onFailure }: Readonly<{ gone: AbortSignal; onFailure: (error: unknown) => void }>,
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, gone]);
  const iterator = answer(signal)[Symbol.asyncIterator]();
  const send = (event: string, data: object) =>
    encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  /** What is sent next, and whether it is the last. */
  const next = async (): Promise<{ bytes: Uint8Array; isLast: boolean }> => {
    try {
      const { done, value } = await iterator.next();
      return done
        ? { bytes: send('done', {}), isLast: true }
        : { bytes: send(value.kind, value), isLast: false };
    } catch (error) {
      if (!signal.aborted) onFailure(error);
      return { bytes: send('failed', { message: messageOf(error) }), isLast: true };
    }
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { bytes, isLast } = await next();
      if (left.signal.aborted) return;
      controller.enqueue(bytes);
      if (isLast) controller.close();
    },
    async cancel() {
      left.abort();
      await iterator.return?.();
    },
  });
}

function messageOf(error: unknown): string {
  return error instanceof AssistantError ? error.message : FAILED;
}

/** Milliseconds; with a minute for clocks that differ, five minutes in all. */
const TOKEN_LIFE = 4 * 60_000;

type TokenDeps = Pick<Deps, 'config' | 'now' | 'db'>;

/** A token that opens the assistant for a few minutes, and nothing else. */
export function mintChatbotToken(deps: TokenDeps, { accountId, id }: Session): Promise<string> {
  const expiresAt = new Date(deps.now().getTime() + TOKEN_LIFE);
  return createChatbotTokens(deps).sign({ accountId, sessionId: id }, expiresAt);
}

/**
 * The living session for which a request's assistant token was made. Throws 401 for any other token: the page then asks for
 * a new one, and learns there whether the session itself has ended.
 */
function createChatGate(deps: TokenDeps): (headers: Headers) => Promise<Session> {
  const tokens = createChatbotTokens(deps);
  return async (headers) => {
    const token = /^Bearer ([A-Za-z0-9._-]{20,1000})$/i.exec(headers.get('authorization') ?? '')?.[1];
    const claims = token ? await tokens.verify(token) : null;
    const session = claims && (await findSession(deps.db, claims, deps.now()));
    if (!session) throw new HttpError(401, 'This conversation needs to be opened again');
    return session;
  };
}
