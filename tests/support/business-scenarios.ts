import type { BusinessEvent } from '#core/business/events.ts';

export const acme: Omit<BusinessEvent<'BusinessRegistered'>['data'], 'registeredAt'> = {
  businessId: 'acme',
  accountId: 'account-1',
  region: 'au',
  plan: 'plus',
  bn: '51824753556',
  name: 'ACME PLUMBING PTY LTD',
  tradingName: 'Acme Plumbing',
  tagline: 'Plumbers, Brunswick VIC',
  timeZone: 'Australia/Melbourne',
  coverage: { lat: -37.77, lng: 144.96, radius: 15_000 },
};

export const acmeRegistered: BusinessEvent<'BusinessRegistered'> = {
  type: 'BusinessRegistered',
  data: { ...acme, registeredAt: '2026-11-02T21:00:00.000Z' },
};

/** The same business on the plan that shows no logo. */
export const starterRegistered: BusinessEvent<'BusinessRegistered'> = {
  type: 'BusinessRegistered',
  data: { ...acmeRegistered.data, plan: 'starter' },
};
