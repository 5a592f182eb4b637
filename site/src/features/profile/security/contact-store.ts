import { savedSwitches } from '#site/lib/form/saved-switches.ts';
import { query, refreshQueries } from '#site/lib/http/query.ts';
import { type Contact, fetchContact, showOnPublicPage } from './security-api.ts';

const contactKey = 'contact';
const profileKey = 'profile';

/** The account's email and phone. */
export const contactQuery = query(contactKey, fetchContact);

/** Takes over what an answer holds; the profile shows the same email. */
export function storeContact(contact: Contact): void {
  contactQuery.update(() => contact);
  refreshQueries((key) => key === profileKey);
}

/** Asks again for what may have been confirmed elsewhere, once the page is looked at. */
export function lookAgain(): void {
  if (document.visibilityState === 'visible')
    refreshQueries((key) => key === contactKey || key === profileKey);
}

/** 'Show on my public page' of one contact detail, saved as it is turned. */
export function publicSwitch(name: 'showEmail' | 'showPhone', isShown: boolean) {
  return savedSwitches<typeof name>({ [name]: isShown } as Record<typeof name, boolean>, async (_, value) => {
    const contact = await showOnPublicPage({ [name]: value });
    contactQuery.update(() => contact);
    return { showEmail: contact.showEmail, showPhone: contact.showPhone };
  });
}
