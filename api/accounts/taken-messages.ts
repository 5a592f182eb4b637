import type { ContactKind } from './contact-changes.ts';

/** What is said of an address that is somebody else's. */
export const takenMessages: Record<ContactKind, string> = {
  email: "This email's already signed up.",
  mobile: 'This mobile number is already in use',
};
