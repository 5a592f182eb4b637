/** Under this name a registration that is under way survives the tab and the day. */
export const registrationKey = 'ute.registration';

/** `rid` is the secret that the server gave; `completionKey` names the one completion of it, however often it is tried. */
export type StoredRegistration = Readonly<{ rid: string; completionKey: string }>;

/** Where the browser refuses storage, the registration lives as long as its page. */
let ofThisPage: StoredRegistration | null = null;

/** The registration of this browser; null where there is none or the entry is damaged. */
export function readRegistration(): StoredRegistration | null {
  try {
    const stored = JSON.parse(localStorage.getItem(registrationKey) ?? 'null') as StoredRegistration | null;
    if (typeof stored?.rid === 'string' && typeof stored.completionKey === 'string') return stored;
  } catch {
    // Refused, or another script wrote there.
  }
  return ofThisPage;
}

export function writeRegistration(stored: StoredRegistration): void {
  try {
    localStorage.setItem(registrationKey, JSON.stringify(stored));
  } catch {
    ofThisPage = stored;
  }
}

export function removeRegistration(): void {
  ofThisPage = null;
  try {
    localStorage.removeItem(registrationKey);
  } catch {
    // Nothing was stored.
  }
}
