import type { Command } from 'commander';
import {
  type AnnouncementProgress,
  announcementProgress,
  cancelAnnouncement,
} from '#api/messages/announcements/announcements.ts';
import { unsubscribe } from '#api/messages/announcements/unsubscribe.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { addAnnounceSendCommand } from './announce-send.ts';
import { print, withSystem } from './system.ts';

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
        const deps = { ...system, now: () => new Date(), newId: () => Bun.randomUUIDv7() };
        const { what } = await unsubscribe(deps, lastPart(token), 'announce-unsubscribe').catch(explain);
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
