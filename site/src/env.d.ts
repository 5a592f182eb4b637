/// <reference types="astro/client" />

declare namespace App {
  /** What api/ hands to the pages that are rendered on demand. */
  interface Locals {
    /** `PRODUCT_EMAIL`; absent where the operator names none. */
    operatorEmail?: string;
    /** The business's published form, or null where the slug is unknown. */
    publicForm(slug: string): Promise<import('#core/enquiry-form/public-form.ts').PublicForm | null>;
    /** A refused submission without JavaScript: what was typed, the message of each bad field, one for all, files that are here. */
    submission?: {
      values: Record<string, string>;
      fields: Record<string, string>;
      message: string;
      media: readonly import('#core/job/request/events.ts').Media[];
    };
    /** The reference of a request that was sent, for `/t/{slug}/sent`. */
    ref?: string;
    /** What the embedded mail and SMS took, newest first; and one of it. Only for the pages of `/dev/outbox`. */
    outbox?: readonly import('#site/features/dev-outbox/outbox-message.ts').OutboxMessage[];
    outboxMessage?: import('#site/features/dev-outbox/outbox-message.ts').OutboxMessage;
    /** What the page behind the link of a message shows, null for a link that opens nothing. */
    answerLink?: import('#site/features/answer/message-links.ts').AnswerLink | null;
    notNeededLink?: import('#site/features/answer/message-links.ts').NotNeededLink | null;
    yourDetails?: import('#site/features/answer/message-links.ts').YourDetails | null;
    /** Whose the link was, where it is a customer's that has ended. */
    endedLink?: import('#site/features/answer/message-links.ts').EndedLink;
    unsubscribeLink?: import('#site/features/answer/message-links.ts').UnsubscribeLink | null;
    welcomeLink?: import('#site/features/answer/message-links.ts').WelcomeLink | null;
    /** Why what was posted has not been done, for the page that it came from. */
    notice?: string;
  }
}

declare module 'virtual:map-base/*' {
  /** What a region's map is drawn from: made when the site is built (adapter/map-base). */
  export const base: import('#site/ui/map/map-base.ts').MapBase;
}
