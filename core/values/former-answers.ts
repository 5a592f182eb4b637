import { jobRequestLengths } from './job-form.ts';
import { countCharacters } from './text.ts';

/** An answer to a question that its form does not ask any more. `question`: as it was asked; empty where that is not known. */
export type FormerAnswer = Readonly<{ question: string; answer: string }>;

/** Above the form, which has other questions than the one that was filled in. */
export const formChangedMessage =
  'The form has changed while you filled it in. Please check it and send it again.';

/**
 * The description with these answers at its end, each after its question, and what its customer reads beside it. `left` are those for
 * which it has no room: they stand in the message alone. What is there already is not put there again.
 */
export function carryOver<T extends FormerAnswer>(
  typed: string,
  former: readonly T[],
): Readonly<{ description: string; message: string; left: readonly T[] }> {
  let description = typed;
  const left: T[] = [];
  const messages = former.map((one) => {
    const about = one.question ? `“${one.question}”` : 'A question that you answered';
    const longer = withLine(description, lineOf(one));
    if (countCharacters(longer) <= jobRequestLengths.description) {
      description = longer;
      return `${about} is not asked any more: your answer stands here now.`;
    }
    left.push(one);
    return `${about} is not asked any more, and there is no room here for your answer: ${one.answer.trim()}`;
  });
  return { description, message: messages.join('\n'), left };
}

function lineOf({ question, answer }: FormerAnswer): string {
  if (!question) return answer.trim();
  return `${question}${/\p{P}$/u.test(question) ? '' : ':'} ${answer.trim()}`;
}

function withLine(text: string, line: string): string {
  const lines = (some: string) => `\n${some.replaceAll('\r\n', '\n')}\n`;
  if (lines(text).includes(lines(line))) return text;
  return text.trim() === '' ? line : `${text.trimEnd()}\n${line}`;
}
