import { type FlexibleSchema, type Tool, tool } from 'ai';
import type { Clock, JobTools, Piece } from '#api/providers/assistant/assistant.ts';
import { readingTools } from './reading-tools.ts';
import { showingTools } from './showing-tools.ts';

/** How often tools may be used for one answer, by what each use costs. */
const MOST_USES = 16;

export type ToolMaker = <Input>(
  description: string,
  input: FlexibleSchema<Input>,
  use: (input: Input) => Promise<object>,
  cost?: number,
) => Tool;

type Watch = Readonly<{
  /** Takes what the tradie is to see. */
  show: (pieces: readonly Piece[]) => void;
  /** A tool could not do its work, which is not the model's to know about. */
  failed: (error: unknown) => void;
}>;

/** The tools of one answer: those of any assistant, bound to one business before the model was asked anything. */
export function createModelTools(tools: JobTools, clock: Clock, { show, failed }: Watch) {
  let uses = 0;
  // One after the other, as they were called: so what they show stands in that order.
  let before: Promise<unknown> = Promise.resolve();
  const make: ToolMaker = (description, input, use, cost = 1) =>
    tool({
      description,
      inputSchema: input,
      execute(given) {
        uses += cost;
        if (uses > MOST_USES) return { problem: 'That is enough looking. Answer now.' };
        const done = before
          .then(() => use(given))
          .catch((error: unknown) => {
            failed(error);
            return { problem: 'This did not work.' };
          });
        before = done;
        return done;
      },
    });
  return { ...readingTools(make, tools, clock), ...showingTools(make, tools, clock, show) };
}
