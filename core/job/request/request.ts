import { requestEvents, requestState } from './events.ts';

export const request = { events: requestEvents, ...requestState, handle: {} };
