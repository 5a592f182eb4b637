import { configuredProviders } from '#api/messages/sender.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { print, type System } from './system.ts';

type Providers = ReturnType<typeof configuredProviders>;

/**
 * Sends a test at once and past the outbox, and says what became of it; false when no provider took it. `send` is given a
 * reference and the Message-ID made of it; `taken` words the success, by the milliseconds it took.
 */
export async function sendTest(
  { db, config }: System,
  channel: 'mail' | 'sms',
  send: (providers: Providers, reference: string, messageId: string) => Promise<unknown>,
  taken = (ms: number) => `took it in ${ms} ms`,
): Promise<boolean> {
  const providers = configuredProviders({ db, config, now: () => new Date() });
  const reference = Bun.randomUUIDv7();
  const { name } = providers[channel];
  const since = performance.now();
  try {
    await send(providers, reference, `<${reference}@${new URL(config.publicOrigin).hostname}>`);
    const ms = Math.round(performance.now() - since);
    print([
      name === 'outbox'
        ? 'stored, and shown at /dev/outbox: no provider is configured'
        : `${name} ${taken(ms)}`,
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    print([`not sent: ${error.message}`]);
    return false;
  } finally {
    await providers.mail.close?.();
  }
}
