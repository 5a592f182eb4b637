/** `to` is E.164. */
export type Sms = Readonly<{ to: string; text: string }>;

/**
 * Sends an SMS. `reference` is the same for every try of a message, for providers that know a repeat by it. Throws
 * `MessageRefusedError` for what will never be taken, `ProviderError` for what may be taken later.
 */
export type SmsProvider = Readonly<{
  name: string;
  send(sms: Sms, reference: string): Promise<void>;
}>;
