import type { Process } from '#api/background/process.ts';
import { settleAddress } from './addresses.ts';

/** Keeps for every business the public address that it has taken, and gives up the one before, likewise. */
export const settleAddresses: Process = {
  name: 'settle-addresses',
  follows: ['PublicAddressChanged'],
  begins: 'at the start',
  async step(deps, events) {
    const moved = events.flatMap(({ event }) =>
      event?.type === 'PublicAddressChanged' ? event.data.businessId : [],
    );
    for (const businessId of new Set(moved)) await settleAddress(deps, businessId);
  },
};
