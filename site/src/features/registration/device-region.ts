import type { Region } from '#core/values/region.ts';

/** The zones that have New Zealand's time under a name of its own. */
const newZealand = [
  ...['Pacific/Auckland', 'Pacific/Chatham', 'Antarctica/McMurdo', 'Antarctica/South_Pole'],
  ...['NZ', 'NZ-CHAT'],
];

/** Where a device of this IANA zone most likely is: New Zealand for one of its zones, Australia for any other. */
export function regionOfZone(timeZone: string): Region {
  return newZealand.includes(timeZone) ? 'nz' : 'au';
}

/** Where this device most likely is. */
export function deviceRegion(): Region {
  return regionOfZone(new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
