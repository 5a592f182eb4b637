import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  extractReasoningMiddleware,
  isStepCount,
  type ModelMessage,
  streamText,
  wrapLanguageModel,
} from 'ai';
import type { Assistant, Piece, Question } from '#api/providers/assistant/assistant.ts';
import type { AssistantSettings } from '#api/runtime/config/assistant.ts';
import { chatLimits } from '#core/values/chat.ts';
import { answerPieces } from './answer-pieces.ts';
import { carefulFetch } from './careful-fetch.ts';
import { instructionsFor } from './instructions.ts';
import { createModelTools } from './model-tools.ts';

export type ModelLimits = Readonly<{
  /** Milliseconds for the whole answer, for one request to the model, and between two bits of its answer. */
  totalMs: number;
  stepMs: number;
  chunkMs: number;
  /** Requests to the model for one answer, and the tokens of each. */
  steps: number;
  tokens: number;
  /** Of a whole answer. */
  characters: number;
}>;

/** Shorter in all than the server's own timeout of a silent answer. */
const usualLimits: ModelLimits = {
  ...{ totalMs: 45_000, stepMs: 25_000, chunkMs: 15_000 },
  ...{ steps: 6, tokens: 700, characters: 4_000 },
};

// Warnings of the SDK would go to the console, with parts of what was asked.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Answers by a language model behind an endpoint that speaks OpenAI's chat completions. It sees what the tools tell it, and
 * says text; rows, links and buttons come from us.
 */
export function modelAssistant(
  { url, model, key }: Extract<AssistantSettings, { provider: 'model' }>,
  limits: ModelLimits = usualLimits,
): Assistant {
  const endpoint = createOpenAICompatible({
    ...{ name: 'assistant', baseURL: url, fetch: carefulFetch },
    ...(key === null ? {} : { apiKey: key }),
  });
  const speaker = wrapLanguageModel({
    model: endpoint.chatModel(model),
    // Some think aloud first.
    middleware: extractReasoningMiddleware({ tagName: 'think' }),
  });
  return {
    async *reply(question, tools, clock) {
      const shown: Piece[] = [];
      const faults: unknown[] = [];
      const ended = new AbortController();
      const answer = streamText({
        model: speaker,
        instructions: instructionsFor(question, clock),
        messages: messagesOf(question),
        tools: createModelTools(tools, clock, {
          show: (pieces) => shown.push(...pieces),
          failed: (error) => faults.push(error),
        }),
        stopWhen: isStepCount(limits.steps),
        // The last request is for the answer itself.
        prepareStep: ({ stepNumber }) => (stepNumber === limits.steps - 1 ? { toolChoice: 'none' } : {}),
        maxOutputTokens: limits.tokens,
        maxRetries: 0,
        timeout: { totalMs: limits.totalMs, stepMs: limits.stepMs, chunkMs: limits.chunkMs },
        abortSignal: AbortSignal.any([question.signal, ended.signal]),
        // The SDK's own would write what was asked to the console.
        onError: () => undefined,
      });
      try {
        yield* answerPieces(answer.fullStream, { shown, faults, characters: limits.characters });
      } finally {
        ended.abort();
      }
    },
  };
}

/** The last exchanges and the question: whatever else the browser says went before, it costs no more than this. */
function messagesOf({ message, earlier }: Question): ModelMessage[] {
  const before = earlier.slice(-chatLimits.earlier).flatMap(({ question, answer }): ModelMessage[] => [
    { role: 'user', content: question },
    { role: 'assistant', content: answer || 'Here.' },
  ]);
  return [...before, { role: 'user', content: message }];
}
