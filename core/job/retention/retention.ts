import { retentionHandlers } from './decide.ts';
import { retentionEvents, retentionState } from './events.ts';

export const retention = { events: retentionEvents, ...retentionState, handle: retentionHandlers };
