import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createProgress } from '#api/cli/report.ts';
import { type System, withSystem } from '#api/cli/system.ts';
import { print } from '#api/cli/terminal.ts';
import { sendTest } from '#api/outbox/commands.ts';
import { sendableMail } from '#api/providers/messages.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { isEmail, normaliseEmail } from '#core/values/contact.ts';
import { type Announced, announce, rehearse } from './announce.ts';
import {
  type AnnouncementKind,
  announcementKindNames,
  announcementKinds,
  readAnnouncementText,
} from './announcement-text.ts';
import {
  type Announcement,
  type AnnouncementProgress,
  announcementProgress,
  assertAnnouncementId,
  cancelAnnouncement,
} from './announcements.ts';
import { announcementMail, previewAccount } from './messages.ts';
import { unsubscribe } from './unsubscribe.ts';

export function addAnnounceCommand(program: Command): void {
  const commands = program
    .command('announce')
    .description('Product updates and newsletters, to those who want them.');

  addAnnounceSendCommand(commands);

  commands
    .command('list')
    .description('Every announcement and how far it is. Exit code 1 while one could not reach an account.')
    .action(() =>
      withSystem(async ({ db }) => {
        const progress = await announcementProgress(db);
        print(progress.length === 0 ? ['nothing was announced'] : progress.flatMap(progressLines));
        return progress.every(({ dead }) => dead === 0);
      }),
    );

  commands
    .command('cancel')
    .argument('<id>', 'the name of an announcement')
    .description('Lets nothing more of an announcement go out, for good.')
    .action((id: string) =>
      withSystem(async ({ db }) => {
        const back = await cancelAnnouncement(db, id, new Date());
        if (back === null) throw new Error('There is no such announcement.');
        print([`${id}: cancelled, ${back} not sent`]);
        return true;
      }),
    );

  commands
    .command('unsubscribe')
    .argument('<token>', 'from the subject of a mail that asks for it: the last part of the link')
    .description('Unsubscribes an account that asked for it by mail.')
    .action((token: string) =>
      withSystem(async (system) => {
        const { what } = await unsubscribe(system, lastPart(token), 'announce-unsubscribe').catch(explain);
        print([`unsubscribed from ${what}`]);
        return true;
      }),
    );
}

function lastPart(link: string): string {
  return link.split('/').at(-1) ?? '';
}

function explain(error: unknown): never {
  throw error instanceof NotFoundError ? new Error('This is no link of ours.') : error;
}

/** An announcement for people: its name, and what became of its mails. */
function progressLines(announcement: AnnouncementProgress): string[] {
  const { id, kind, subject, begunAt, cancelledAt } = announcement;
  const counts = (['waiting', 'sent', 'perhaps', 'discarded', 'cancelled', 'dead'] as const)
    .filter((status) => announcement[status] > 0 || status === 'sent')
    .map((status) => `${announcement[status]} ${status}`);
  const end = cancelledAt === null ? '' : `, cancelled ${cancelledAt.toISOString()}`;
  return [`${id} (${kind}) since ${begunAt.toISOString()}${end}: ${counts.join(', ')}`, `  ${subject}`];
}

type Options = Readonly<{
  kind: AnnouncementKind;
  id?: string;
  dryRun?: boolean;
  testTo?: string;
  perMinute: number;
}>;

function addAnnounceSendCommand(commands: Command): void {
  commands
    .command('send', { isDefault: true })
    .argument('<file>', 'text: `# Subject`, then paragraphs; `[Label](/path)` by itself is a button')
    .addOption(
      new Option('--kind <kind>', 'what it is, and by that who wants it')
        .choices(announcementKindNames)
        .makeOptionMandatory(),
    )
    .option('--id <id>', 'its name: no account gets the same one twice (default: the name of the file)')
    .option('--dry-run', 'sends nothing: says how many would get it, and shows it')
    .option('--test-to <address>', 'sends it to this address alone, at once', emailAddress)
    .option('--per-minute <n>', 'so many go out in a minute, at most', amount, 600)
    .description(
      'Sends it to each account that wants such mail, once. The same command again goes on where it was.',
    )
    .action((file: string, options: Options) =>
      withSystem(
        (system, signal) => send(system, signal, file, options),
        () => 'who is in the outbox gets it; the same command again goes on.',
      ),
    );
}

async function send(system: System, signal: AbortSignal, file: string, options: Options): Promise<boolean> {
  const { kind, testTo, dryRun = false, perMinute } = options;
  const id = options.id ?? basename(file, extname(file));
  assertAnnouncementId(id);
  if (system.config.product.contact === null)
    throw new Error(
      'PRODUCT_EMAIL and PRODUCT_PHONE are not set: an announcement says how to reach who sent it.',
    );
  const text = readAnnouncementText(await readSource(file), system.config.publicOrigin);
  const announcement: Announcement = { id, kind, ...text };
  if (testTo !== undefined) return sendAnnouncementTest(system, announcement, testTo);

  const show = createProgress(process.stderr);
  const onProgress = (asked: number, of: number) => show('accounts asked', asked, of);
  if (dryRun) {
    const would = await rehearse(system, announcement, { signal, onProgress });
    print([`${id} would go to ${countsOf(would, kind)}`, '', ...previewLines(system.config, announcement)]);
    return true;
  }
  const done = await announce(system, announcement, { perMinute, signal, onProgress });
  print([`${id} goes to ${countsOf(done, kind)}`]);
  return true;
}

function countsOf({ queued, already, optedOut }: Announced, kind: AnnouncementKind): string {
  const { name } = announcementKinds[kind];
  return `${queued} ${queued === 1 ? 'account' : 'accounts'}; ${already} had it before, ${optedOut} turned ${name} off`;
}

async function readSource(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${file} is not text in UTF-8.`);
  }
}

function emailAddress(text: string): string {
  const email = normaliseEmail(text);
  if (!isEmail(email)) throw new InvalidArgumentError('An email address.');
  return email;
}

function amount(text: string): number {
  const n = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (n < 1) throw new InvalidArgumentError('A whole number from 1.');
  return n;
}

const exampleAddress = 'reader@example.com';

/** An announcement as its readers see it in a mail of text. */
function previewLines(config: Config, announcement: Announcement): string[] {
  const mail = sendableMail(
    announcementMail(config, announcement, { accountId: previewAccount, email: exampleAddress }),
  );
  return [`Subject: ${mail.subject}`, '', ...mail.text.trimEnd().split('\n')];
}

/** Sends an announcement to one address, at once and past the outbox; false, with the reason, when no provider took it. */
function sendAnnouncementTest(system: System, announcement: Announcement, email: string): Promise<boolean> {
  const composed = announcementMail(system.config, announcement, { accountId: previewAccount, email });
  const test = sendableMail({ ...composed, subject: `[Test] ${composed.subject}` });
  return sendTest(
    system,
    'mail',
    ({ mail }, _, messageId) => mail.send(test, messageId),
    () => 'took it',
  );
}
