/** One mail to one person. Addresses are plain (`dave@acme.example`); no field but `text` and `html` may hold a line break. */
export type Mail = Readonly<{
  to: string;
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
  /** Further headers, such as List-Unsubscribe. Those that say from whom and to whom are not among them. */
  headers?: Readonly<Record<string, string>>;
}>;

/**
 * Sends mail. `messageId` is the same for every try of a message: it becomes its Message-ID, by which mail programs know
 * a repeat. Throws `MessageRefusedError` for what will never be taken, `ProviderError` for what may be taken later.
 */
export type MailProvider = Readonly<{
  name: string;
  send(mail: Mail, messageId: string): Promise<void>;
  close?(): Promise<void>;
}>;
