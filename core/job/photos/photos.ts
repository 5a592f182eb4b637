import { photosHandlers } from './decide.ts';
import { photosEvents, photosState } from './events.ts';
import { photosEntries, photosView } from './view.ts';

/** The photos that the tradie takes of the work. */
export const photos = {
  events: photosEvents,
  ...photosState,
  handle: photosHandlers,
  view: photosView,
  history: photosEntries,
  erasedEntries: {},
};
