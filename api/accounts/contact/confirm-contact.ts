import { createHmac } from 'node:crypto';
import { countVerified } from '#api/accounts/contact/code-budget.ts';
import { reservationKey, reserve, takenMessages } from '#api/accounts/reservations.ts';
import type { Deps } from '#api/deps.ts';
import { addressKey } from '#api/http/client-address.ts';
import { HttpError, invalid } from '#api/http/errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import type { Session } from '#api/http/request-context.ts';
import { queueMessage } from '#api/messages/outbox/outbox.ts';
import { accountDecider } from '#core/account/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type ContactChange, changeOfSecret, trySecret } from './contact-changes.ts';
import { type Changed, finishContactChange } from './finish-contact-change.ts';

const PER_ADDRESS = { name: 'confirm-email', points: 20, seconds: 3_600 };
/** Wrong codes until every code is wrong. */
const MOST_TRIES = 5;
/** How long the old address waits to be notified, in milliseconds: by then the change has happened or never will. */
const NOTICE_DELAY = 15_000;
const NOTICE = { email: 'email-changed', mobile: 'phone-changed' } as const;
const READ_MODELS = ['accounts', 'public-form'];

const deadLink = () =>
  new HttpError(422, 'This link has expired or was already used. Please ask for a new one.');
const wrongCode = () => invalid({ code: 'Double-check and try again, or get a new one' }, 'Wrong code');

/** What a confirmation comes with; the request's id goes into the log as the correlation. */
type Coming = Readonly<{ address: string; correlation: string }>;

/**
 * Makes a change happen that its owner confirmed: by the link from the new mailbox, in whatever browser it opens, or by
 * the code from the new mobile. Throws 422 for a dead link or a wrong code, ConflictError when another account came first.
 */
export function createConfirmContact(
  deps: Pick<Deps, 'config' | 'db' | 'store' | 'readSide' | 'logger' | 'messages' | 'now'>,
) {
  const perAddress = sharedLimiter(deps, PER_ADDRESS);
  const { keys } = deps.config;

  async function happen(change: ContactChange, correlation: string): Promise<Changed | null> {
    const { accountId, changeId, kind, value } = change;
    const reservation = { kind, key: reservationKey(deps.config, kind, value) };
    const now = deps.now();
    const [taken] = await reserve(deps.db, accountId, [reservation], now);
    if (taken) throw new ConflictError(takenMessages[kind]);
    // Before the append: a crash after it leaves the notice in the outbox.
    const notBefore = new Date(now.getTime() + NOTICE_DELAY);
    const notice = { id: uuidV5(changeId, 'notice'), kind: NOTICE[kind], data: { accountId, changeId } };
    await queueMessage(deps.db, { ...notice, notBefore }, now);
    const cause = { commandId: changeId, actor: `account:${accountId}`, correlation };
    const at = now.toISOString();
    const command =
      kind === 'email'
        ? ({ type: 'ChangeAccountEmail', at, data: { accountId, email: value } } as const)
        : ({ type: 'ChangeAccountPhone', at, data: { accountId, phone: value } } as const);
    await handleCommand(deps.store, accountDecider, streamName('account', accountId), command, cause);
    const changed = await finishContactChange(deps, { accountId, changeId });
    if (!changed) return null;
    await deps.readSide.waitFor(READ_MODELS, changed.position);
    deps.logger.info({ event: 'contact-changed', contact: kind, account: accountId });
    return changed;
  }

  return {
    async byLink(token: string, { address, correlation }: Coming): Promise<Changed> {
      await perAddress.consume(addressKey(address));
      const change = await changeOfSecret(deps.db, keys, { kind: 'email', secret: token }, deps.now());
      const changed = change && (await happen(change, correlation));
      if (!changed) throw deadLink();
      return changed;
    },
    async byCode({ accountId }: Session, code: string, { correlation }: Coming): Promise<Changed> {
      const secret = (changeId: string) => codeSecret(deps.config, changeId, code);
      const tried = { accountId, kind: 'mobile', secret, mostTries: MOST_TRIES } as const;
      const change = await trySecret(deps.db, keys, tried, deps.now());
      if (change) await countVerified(deps.db, change.changeId, deps.now());
      const changed = change && (await happen(change, correlation));
      if (!changed) throw wrongCode();
      return changed;
    },
  };
}

/** What stands for a code of six digits where it is stored: without our key, no trying out tells which. */
export function codeSecret({ keys }: Pick<Deps['config'], 'keys'>, changeId: string, code: string): string {
  return createHmac('sha256', keys.claim).update(`contact code ${changeId} ${code}`).digest('base64url');
}
