import type { PublicForm } from '#core/enquiry-form/public-form.ts';

/** Whether what is urgent for this business is mostly running water: its customers get words about that. */
export function worksOnWater({ trades }: Pick<PublicForm, 'trades'>): boolean {
  return trades.some((trade) => /plumb|water|drain/i.test(trade));
}
