import type { Process } from '#api/background/process.ts';
import { finishContactChange } from './contact/finish-contact-change.ts';

/**
 * Finishes every change of email or mobile that is in the log, wherever the request that made it did not get to it: the
 * reservations are settled, and what showed the old one follows.
 */
export const finishContactChanges: Process = {
  name: 'finish-contact-changes',
  follows: ['AccountEmailChanged', 'AccountPhoneChanged'],
  begins: 'now',
  async step(deps, events) {
    for (const { event, metadata } of events) {
      if (event?.type !== 'AccountEmailChanged' && event?.type !== 'AccountPhoneChanged') continue;
      await finishContactChange(deps, { accountId: event.data.accountId, changeId: metadata.causation });
    }
  },
};
