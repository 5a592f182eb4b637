import type { Process } from '#api/background/process.ts';
import { DomainError } from '#core/kernel/errors.ts';
import { finishRegistration } from './finish-registration.ts';

/**
 * Finishes what completed registrations decided, wherever the API did not get to it. What has gone to another account
 * meanwhile is logged and left: no replay would help.
 */
export const finishRegistrations: Process = {
  name: 'finish-registrations',
  follows: ['RegistrationCompleted'],
  begins: 'at the start',
  async step(deps, events) {
    for (const { event, metadata, stream } of events) {
      if (event?.type !== 'RegistrationCompleted') continue;
      try {
        await finishRegistration(deps, event.data, metadata);
        deps.messages?.notify();
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        deps.logger.error({ event: 'registration-cannot-finish', stream, reason: error.name });
      }
    }
  },
};
