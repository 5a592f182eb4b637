import { type } from 'arktype';
import { chatLimits } from '#core/values/chat.ts';

const Id = type(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const Earlier = type({
  '+': 'reject',
  question: `string <= ${chatLimits.message}`,
  answer: `string <= ${chatLimits.answer}`,
  jobs: Id.array().atMostLength(chatLimits.jobs),
});

/** The body of `POST /chatbot/messages`: what is asked, and what went before, oldest first. */
export const ChatMessage = type({
  '+': 'reject',
  message: type('string').narrow(
    (text, ctx) =>
      (text.trim() !== '' && text.length <= chatLimits.message) ||
      ctx.reject({ message: chatLimits.problem }),
  ),
  'earlier?': Earlier.array().atMostLength(chatLimits.earlier),
});
