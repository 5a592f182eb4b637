import { AssistantError } from '#api/providers/assistant/assistant-error.ts';

const messages = {
  busy: 'I am asked a lot just now. Please try again in a minute.',
  late: 'That took too long. Please try again, or ask for less at once.',
  refused: 'I cannot answer just now. Your jobs are all in your lists.',
  unavailable: 'I cannot answer just now. Your jobs are all in your lists.',
  malformed: 'My answer came out wrong. Please ask again.',
  cut: 'My answer broke off there. Please ask again.',
} as const;

/** What the tradie reads of it, and the log. */
export function failure(reason: keyof typeof messages, status?: number): AssistantError {
  return new AssistantError(reason, messages[reason], status);
}

/**
 * Tells by what the SDK threw why there is no answer, or no more of it where it had `begun`. Its texts repeat what was sent:
 * nothing of them is stored.
 */
export function failureOf(error: unknown, begun: boolean): AssistantError {
  const name = error instanceof Error ? error.name : '';
  const status = statusOf(error);
  if (status !== undefined) return failure(reasonOf(status), status);
  if (name === 'TimeoutError') return failure('late');
  if (name === 'AI_APICallError') return failure('unavailable');
  if (name === 'AI_InvalidResponseDataError') return failure(begun ? 'cut' : 'malformed');
  if (name.startsWith('AI_') || error instanceof RangeError) return failure('malformed');
  return failure(begun ? 'cut' : 'unavailable');
}

/** Whether a model went on with tools when it was asked for its answer. */
export function isEndless(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_ToolChoiceViolationError';
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error && 'statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

function reasonOf(status: number): keyof typeof messages {
  if (status === 429) return 'busy';
  if (status === 408 || status === 504) return 'late';
  if (status >= 400 && status < 500) return 'refused';
  return status >= 500 ? 'unavailable' : 'malformed';
}
