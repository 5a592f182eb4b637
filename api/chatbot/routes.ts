import { type } from 'arktype';
import { Elysia } from 'elysia';
import { profileOf } from '#api/authenticate/profile.ts';
import type { Deps } from '#api/deps.ts';
import { auth } from '#api/http/auth.ts';
import { ok } from '#api/http/envelope.ts';
import { sessionTimedOut } from '#api/http/http-errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { embeddedAssistant } from '#api/providers/assistant/embedded.ts';
import { chatLimits } from '#core/values/chat.ts';
import { answerStream } from './answer-stream.ts';
import { createChatGate, mintChatbotToken } from './open-chat.ts';
import { createJobTools } from './tools.ts';

const Message = type({
  '+': 'reject',
  message: type('string').narrow(
    (text, ctx) =>
      (text.trim() !== '' && text.length <= chatLimits.message) ||
      ctx.reject({ message: chatLimits.problem }),
  ),
});

/** For one account: so many messages in a minute, and in a day. */
const QUICK = { name: 'chat-minute', points: 20, seconds: 60 };
const DAILY = { name: 'chat-day', points: 400, seconds: 86_400 };

/**
 * GET /authenticate/chatbot → { token }, for five minutes and these messages alone · POST /chatbot/messages { message },
 * with that token, → an answer over the business's own jobs as server-sent pieces (`answer-stream.ts`). Changes nothing:
 * a change is proposed, and made by the routes of jobs once the tradie says so. Any other token is 401.
 */
export function chatbotRoutes(deps: Deps) {
  const enter = createChatGate(deps);
  const quick = sharedLimiter(deps, QUICK);
  const daily = sharedLimiter(deps, DAILY);
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
        const { timeZone, slug } = await profileOf(deps, session.accountId);
        const clock = { now: deps.now(), timeZone };
        const tools = createJobTools(deps, { businessId: session.businessId, slug, ...clock });
        const pieces = embeddedAssistant.reply(body.message.trim(), tools, clock);
        const stream = answerStream(pieces, (error) =>
          deps.logger.error({
            event: 'assistant-failed',
            reason: error instanceof Error ? error.name : typeof error,
            ref: contextOf(request).id,
          }),
        );
        return new Response(stream, {
          headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
        });
      },
      {
        body: Message,
        // Before the body is looked at: whoever has no token learns nothing of what it takes.
        transform: async ({ request }: { request: Request }) => {
          contextOf(request).session = await enter(request.headers);
        },
      },
    );
}
