import { photosHandlers } from './decide.ts';
import { photosEvents, photosState } from './events.ts';

export const photos = { events: photosEvents, ...photosState, handle: photosHandlers };
