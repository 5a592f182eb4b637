import { customerHandlers } from './decide.ts';
import { customerEvents, customerState } from './events.ts';
import { customerEntries, customerView, erasedCorrections } from './view.ts';

/** What goes between the business and the customer of a job. */
export const customer = {
  events: customerEvents,
  ...customerState,
  handle: customerHandlers,
  view: customerView,
  history: customerEntries,
  erasedEntries: erasedCorrections,
};
