import { query, refreshQueries } from '#site/lib/query.ts';
import { savedSwitches } from '#site/lib/saved-switches.ts';
import { type Contact, fetchContact, showOnPublicPage } from './security-api.ts';

/** The account's email and phone. */
export const contactQuery = query('contact', fetchContact);

/** Takes over what an answer said; the profile shows the same email. */
export function keepContact(contact: Contact): void {
  contactQuery.update(() => contact);
  refreshQueries((key) => key === 'profile');
}

/** 'Show on my public page' of one contact detail, saved as it is turned. */
export function publicSwitch(name: 'showEmail' | 'showPhone', isShown: boolean) {
  return savedSwitches<typeof name>({ [name]: isShown } as Record<typeof name, boolean>, async (_, value) => {
    const contact = await showOnPublicPage({ [name]: value });
    contactQuery.update(() => contact);
    return { showEmail: contact.showEmail, showPhone: contact.showPhone };
  });
}
