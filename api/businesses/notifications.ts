import type { Clock, Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { accountDecider } from '#core/account/decider.ts';
import { isAccountEvent } from '#core/account/events.ts';
import type { AccountState } from '#core/account/state.ts';
import { typedEvents } from '#core/event-store/codec.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { pause } from '#core/kernel/pause.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { Notifications } from '#core/values/account.ts';
import { formatPhone } from '#core/values/phone.ts';
import { getProfile } from '#projections/accounts/read.ts';

/** What an account wants to be notified of, from its own stream: never behind. Throws NotFoundError for an unknown account. */
export async function notificationsOf(
  { store }: Pick<Deps, 'store'>,
  accountId: string,
): Promise<Notifications> {
  const events = typedEvents(isAccountEvent, await store.readStream(streamName('account', accountId)));
  const account = events.reduce<AccountState>(
    (state, { event }) => (event ? accountDecider.evolve(state, event) : state),
    accountDecider.initialState,
  );
  return settingsOf(account);
}

/** Turns what `notifications` names; the rest stays as it is. */
export async function changeNotifications(
  deps: Pick<Deps, 'store' | 'now' | 'newId'>,
  { accountId }: Pick<Session, 'accountId'>,
  notifications: Partial<Notifications>,
  correlation: string,
): Promise<Notifications> {
  const command = {
    type: 'ChangeNotifications',
    at: deps.now().toISOString(),
    data: { accountId, notifications },
  } as const;
  const cause = { commandId: deps.newId(), actor: `account:${accountId}`, correlation };
  const stream = streamName('account', accountId);
  const { state } = await handleCommand(deps.store, accountDecider, stream, command, cause);
  return settingsOf(state);
}

function settingsOf(account: AccountState): Notifications {
  if (account === null) throw new NotFoundError('Account not found');
  return account.notifications;
}

export type Tested = Readonly<{
  outcome: 'sent' | 'failed' | 'off';
  /** Where it went, as people read it. */
  to: string;
  message: string;
}>;
export type TestedChannels = Readonly<Record<'email' | 'sms', Tested>>;

/** How long the answer waits for the messages, and how often it looks, in milliseconds. */
const TIMEOUT = 8_000;
const LOOK = 100;
/** After this a test alert is of no use, in milliseconds. */
const LIFE = 60_000;

const kinds = { email: 'test-alert-mail', sms: 'test-alert-sms' } as const;
const named = { email: 'email', sms: 'SMS' } as const;

/** Sends an alert by every channel that is on, the way of any other message, and says what became of each. */
export async function sendTestAlert(
  deps: Clock & Pick<Deps, 'db' | 'store' | 'messages'>,
  { accountId, businessId }: Session,
): Promise<TestedChannels> {
  const [profile, wanted] = await Promise.all([
    getProfile(deps.db, accountId),
    notificationsOf(deps, accountId),
  ]);
  if (!profile) throw new NotFoundError('Account not found');
  const to = { email: profile.user.email, sms: formatPhone(profile.user.phone) };
  const test = async (channel: 'email' | 'sms'): Promise<Tested> => {
    if (!wanted[channel]) return tested('off', channel, to[channel]);
    const id = deps.newId();
    const now = deps.now();
    const expiresAt = new Date(now.getTime() + LIFE);
    await queueMessage(
      deps.db,
      { id, kind: kinds[channel], businessId, data: { accountId }, expiresAt },
      now,
    );
    deps.messages?.notify();
    return tested(await outcomeOf(deps, id), channel, to[channel]);
  };
  const [email, sms] = await Promise.all([test('email'), test('sms')]);
  return { email, sms };
}

/** `refused`: the budget of SMS about jobs, of which a test is one, is spent. */
type Outcome = Tested['outcome'] | 'refused';

function tested(outcome: Outcome, channel: 'email' | 'sms', to: string): Tested {
  const name = named[channel];
  const messages = {
    sent: `We sent a test alert to ${to}.`,
    failed: `The test alert to ${to} could not be sent by ${name}. We keep trying to send real alerts for a day.`,
    refused: `We have sent you as many ${name} as we may for now, so no test went out. Please try again in an hour.`,
    off: `Alerts by ${name} are turned off.`,
  };
  return { outcome: outcome === 'refused' ? 'failed' : outcome, to, message: messages[outcome] };
}

/** Waits for what becomes of a message; a first try that fails is answer enough. */
async function outcomeOf({ db }: Pick<Deps, 'db'>, id: string): Promise<Outcome> {
  for (const until = performance.now() + TIMEOUT; performance.now() < until; await pause(LOOK)) {
    const { rows } = await db.query<{ delivery_status: string; failure: string | null }>(
      'select delivery_status, failure from state.outbox where id = $1',
      [id],
    );
    const [row] = rows;
    if (row?.delivery_status === 'sent') return 'sent';
    if (row?.delivery_status === 'discarded') return 'refused';
    if (row && (row.delivery_status !== 'waiting' || row.failure !== null)) return 'failed';
  }
  return 'failed';
}
