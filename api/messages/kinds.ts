import type { MessageKind } from './message-kind.ts';

/** Every message the product sends. A row whose kind is not here waits for a process that knows it. */
export const messageKinds: readonly MessageKind[] = [];
