import { type } from 'arktype';
import { Elysia } from 'elysia';
import { profileOf } from '#api/accounts/profile.ts';
import type { Deps } from '#api/deps.ts';
import { ok, sessionTimedOut } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { operation } from '#api/http/openapi/operation.ts';
import { contextOf } from '#api/http/request-context.ts';
import { chatLimits } from '#core/values/product.ts';
import { countCharacters } from '#core/values/text.ts';
import { answerStream } from './answer-stream.ts';
import { AssistantError } from './assistant.ts';
import { createChatGate, mintChatbotToken } from './chatbot-tokens.ts';
import { configuredAssistant } from './configured.ts';
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
        detail: operation('Assistant', 'openChat', 'A token for a conversation'),
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
        const tools = createJobTools(deps, { businessId, slug, now: clock.now, timeZone, region });
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
        detail: operation('Assistant', 'askAssistant', 'Asks the assistant', {
          access: 'chat',
          media: ['text/event-stream'],
          statuses: [401],
          conflicts: false,
        }),
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
