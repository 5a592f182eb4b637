import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooManyRequests } from '#api/http/answers.ts';
import { createGate, type Turn } from '#api/http/gate.ts';

/** Who has a picture drawn, for which business: one of its own people, or a stranger by its public form. */
export type PictureSender = Turn & Readonly<{ rank: 'member' | 'stranger'; businessId: string }>;

/** Milliseconds of a processor in ten minutes, of one source and for one business. */
export type PictureBudget = Readonly<{ ofSource: number; ofBusiness: number }>;

const WINDOW = 600;
/** Dozens of what phones take; of large and detailed pictures as many as a person can look at. */
const usual: Readonly<Record<PictureSender['rank'], PictureBudget>> = {
  member: { ofSource: 200_000, ofBusiness: 400_000 },
  stranger: { ofSource: 30_000, ofBusiness: 120_000 },
};

/** Turns at the decoder of this process. */
export type PictureTurns = Readonly<{
  /**
   * Draws a picture when its sender's turn comes: one of strangers at once, one of a stranger waiting, and beside them one of members, so
   * that no member waits for a stranger. `spend` counts what it took, in milliseconds of a processor. Throws 429 where too many wait or the
   * sender, or strangers or members of the business together, have had their time.
   */
  run<T>(sender: PictureSender, draw: (spend: (milliseconds: number) => void) => Promise<T>): Promise<T>;
}>;

/** Each picture takes a core and up to 200 MB for a moment: the others are for requests that wait for a page. */
export function createPictureTurns(budgets = usual): PictureTurns {
  const gates = {
    member: createGate({ atOnce: 1, waiting: 20 }),
    stranger: createGate({ atOnce: 1, waiting: 20, ofSource: 1 }),
  } as const;
  const counter = (name: string, points: number) =>
    new RateLimiterMemory({ keyPrefix: name, points, duration: WINDOW });
  const counters = {
    member: [counter('members', budgets.member.ofSource), counter('of', budgets.member.ofBusiness)],
    stranger: [counter('strangers', budgets.stranger.ofSource), counter('for', budgets.stranger.ofBusiness)],
  } as const;

  return {
    async run(sender, draw) {
      const { rank, source, businessId } = sender;
      const [ofSource, ofBusiness] = counters[rank];
      const spent =
        source === null
          ? []
          : ([
              [ofSource, source],
              [ofBusiness, businessId],
            ] as const);
      for (const [budget, key] of spent) {
        const found = await budget.get(key);
        if (found && found.consumedPoints >= budget.points) throw tooManyRequests(found.msBeforeNext / 1_000);
      }
      const spend = (milliseconds: number) => {
        for (const [budget, key] of spent) void budget.penalty(key, Math.ceil(milliseconds));
      };
      return gates[rank].run(() => draw(spend), sender);
    },
  };
}
