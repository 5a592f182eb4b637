import { retentionHandlers } from './decide.ts';
import { retentionEvents, retentionState } from './events.ts';
import { retentionEntries, retentionView } from './view.ts';

/** How long what is known of the customer stays. */
export const retention = {
  events: retentionEvents,
  ...retentionState,
  handle: retentionHandlers,
  view: retentionView,
  history: retentionEntries,
  erasedEntries: {},
};
