import type { Command } from 'commander';
import { type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { sendableMail, sendableSms } from '#api/providers/messages.ts';
import { isEmail, normaliseEmail } from '#core/values/contact.ts';
import { product } from '#core/values/product.ts';
import { readPhone } from '#core/values/typed-phone.ts';
import { listMessages, type OutboxRow, retryDead } from './delivery-status.ts';
import { mailOf } from './mail-layout.ts';
import { configuredProviders } from './sender.ts';

/** How many lines a list has at most. */
const MOST = 1_000;

export function addOutboxCommand(program: Command): void {
  const outbox = program.command('outbox').description('Mail and SMS on their way out.');

  outbox
    .command('list')
    .description('Messages that wait, are held back or are dead. Exit code 1 when one is dead.')
    .option(
      '--all',
      'also those that were sent, cancelled, not wanted any more, or held back for longer than a day',
    )
    .action(({ all = false }: { all?: boolean }) =>
      withSystem(async ({ db }) => {
        const settled = ['sent', 'discarded', 'cancelled', 'lapsed'] as const;
        const listed = await listMessages(db, ['waiting', 'held', 'dead', ...(all ? settled : [])], MOST);
        print(listed.length === 0 ? ['nothing waits'] : listed.map(lineOf));
        return listed.every(({ deliveryStatus }) => deliveryStatus !== 'dead');
      }),
    );

  outbox
    .command('retry')
    .argument('<id>', 'the id of a dead message, or all')
    .description('Lets dead messages be tried for another day. Exit code 1 when there was none to try.')
    .action((id: string) =>
      withSystem(async ({ db }) => {
        const again = await retryDead(db, id, new Date());
        print(
          again.length === 0
            ? ['nothing dead that could still be sent']
            : again.map((one) => `${one}: waits`),
        );
        return again.length > 0;
      }),
    );

  outbox
    .command('test')
    .requiredOption('--to <address>', 'an email address, or a mobile number')
    .description('Sends a test mail or SMS at once, past the outbox, and says what became of it.')
    .action(({ to }: { to: string }) => withSystem(async (system) => sendTestTo(system, to)));
}

function lineOf({ id, kind, deliveryStatus, attempts, queuedAt, dueAt, jobId, failure }: OutboxRow): string {
  const next = deliveryStatus === 'waiting' ? ` next ${dueAt.toISOString()}` : '';
  const job = jobId === null ? '' : ` job ${jobId}`;
  const tries = `${attempts} ${attempts === 1 ? 'try' : 'tries'}`;
  return `${id} ${kind} ${deliveryStatus} since ${queuedAt.toISOString()}, ${tries}${next}${job}${failure ? `: ${failure}` : ''}`;
}

function sendTestTo(system: System, to: string): Promise<boolean> {
  const phone = readPhone(to, null);
  const email = normaliseEmail(to);
  if (phone) {
    const test = sendableSms({ to: phone, text: `A test from ${product.name}. All is well.` });
    return sendTest(system, 'sms', ({ sms }, reference) => sms.send(test, reference));
  }
  if (!isEmail(email)) throw new Error('--to is neither an email address nor a mobile number.');
  const test = sendableMail(testMail(email));
  return sendTest(system, 'mail', ({ mail }, _, messageId) => mail.send(test, messageId));
}

function testMail(to: string) {
  return mailOf({
    to,
    subject: `A test from ${product.name}`,
    heading: 'All is well',
    paragraphs: [`This is a test. If you can read it, mail from ${product.name} arrives.`],
    why: `Somebody who looks after this installation of ${product.name} asked for it.`,
  });
}

type Providers = ReturnType<typeof configuredProviders>;

/**
 * Sends a test at once and past the outbox, and says what became of it; false when no provider took it. `send` is given a
 * reference and the Message-ID made of it; `taken` words the success, by the milliseconds it took.
 */
export async function sendTest(
  system: System,
  channel: 'mail' | 'sms',
  send: (providers: Providers, reference: string, messageId: string) => Promise<unknown>,
  taken = (ms: number) => `took it in ${ms} ms`,
): Promise<boolean> {
  const providers = configuredProviders(system);
  const reference = Bun.randomUUIDv7();
  const { name } = providers[channel];
  const since = performance.now();
  try {
    await send(providers, reference, `<${reference}@${new URL(system.config.publicOrigin).hostname}>`);
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
