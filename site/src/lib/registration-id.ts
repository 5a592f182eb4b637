/** Under this name a registration that is under way survives the tab and the day. */
export const registrationKey = 'ute.registration';

/** `rid` is the secret that the server gave; `completionKey` names the one completion of it, however often it is tried. */
export type KeptRegistration = Readonly<{ rid: string; completionKey: string }>;

/** Where the browser refuses storage, the registration lives as long as its page. */
let ofThisPage: KeptRegistration | null = null;

/** The registration of this browser; null where there is none or the entry is damaged. */
export function readRegistration(): KeptRegistration | null {
  try {
    const kept = JSON.parse(localStorage.getItem(registrationKey) ?? 'null') as KeptRegistration | null;
    if (typeof kept?.rid === 'string' && typeof kept.completionKey === 'string') return kept;
  } catch {
    // Refused, or another script wrote there.
  }
  return ofThisPage;
}

export function writeRegistration(kept: KeptRegistration): void {
  try {
    localStorage.setItem(registrationKey, JSON.stringify(kept));
  } catch {
    ofThisPage = kept;
  }
}

export function forgetRegistration(): void {
  ofThisPage = null;
  try {
    localStorage.removeItem(registrationKey);
  } catch {
    // Nothing was kept.
  }
}
