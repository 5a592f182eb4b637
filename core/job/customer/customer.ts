import { customerHandlers } from './decide.ts';
import { customerEvents, customerState } from './events.ts';

export const customer = { events: customerEvents, ...customerState, handle: customerHandlers };
