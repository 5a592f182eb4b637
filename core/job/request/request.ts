import { requestEvents, requestState } from './events.ts';
import { requestEntries, requestView } from './view.ts';

/** How a job comes. Its commands are `beginnings`: they are decided about a job that is not there yet. */
export const request = {
  events: requestEvents,
  ...requestState,
  handle: {},
  view: requestView,
  history: requestEntries,
  erasedEntries: {},
};
