import { useStore } from '@nanostores/react';
import { atom, onMount, type ReadableAtom } from 'nanostores';
import { useState } from 'react';
import { type NotificationName, type Notifications, notificationToggles } from '#core/values/account.ts';
import { product } from '#core/values/product.ts';
import { type AnswerOf, ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { query, useQuery } from '#site/lib/http/query.ts';
import { SwitchRow } from '#site/ui/form/SwitchRow.tsx';
import { type SavedSwitches, savedSwitches } from '#site/ui/form/saved-switches.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { PartsLoading } from '#site/ui/PanelStates.tsx';

/** How many turns the server has answered. */
let saved = 0;

/** The toggles as the server has them. */
const notificationsQuery = query('notifications', fetchNewest);

/**
 * The toggles to turn. What was turned is in the query too, so that a panel opened again starts from it; and while
 * the panel is open they follow the query, which is refreshed after changes in other tabs and by links in mail.
 */
function notificationSwitches(stored: Notifications): SavedSwitches<NotificationName> {
  const switches = savedSwitches<NotificationName>(stored, async (name, isOn) => {
    const notifications = await changeNotification(name, isOn);
    saved += 1;
    notificationsQuery.update(() => notifications);
    return notifications;
  });
  onMount(switches.$switches, () =>
    notificationsQuery.$state.subscribe(({ data }) => {
      if (data) switches.follow(data);
    }),
  );
  return switches;
}

/** What was asked for before a turn was saved may be older than the turn. */
async function fetchNewest(signal: AbortSignal): Promise<Notifications> {
  for (;;) {
    const before = saved;
    const notifications = await fetchNotifications(signal);
    if (saved === before) return notifications;
  }
}

type ToggleName = (typeof notificationToggles)[number]['name'];

/** How the panel groups the toggles: what to be notified of, by which way, and what comes from us. */
const toggleGroups: readonly Readonly<{ title: string; names: readonly ToggleName[] }>[] = [
  { title: 'Tell me about', names: ['account', 'jobEnquiries', 'simpleContacts', 'weeklyRecord'] },
  { title: 'Reach me by', names: ['email', 'sms'] },
  { title: `News from ${product.name}`, names: ['productUpdates', 'newsletter'] },
];

const toggleNotes: Readonly<Record<ToggleName, string>> = {
  account: 'Always on: they tell you when your password, email or phone changes',
  jobEnquiries: 'A customer filled in your job form with the details',
  simpleContacts: 'A customer left their contact and a few words only',
  email: 'Sent to the email you sign in with',
  sms: 'Urgent jobs at once, others after 15 minutes if you have not opened them; with email off, all at once',
  productUpdates: 'What is new and what changes',
  newsletter: 'Tips for running the business, now and then',
  weeklyRecord: 'A signed number by email each Monday: it shows later that your history was not rewritten',
};

const signs = { sent: 'circle-check-big', failed: 'circle-alert', off: 'ban' } as const;
const channelNames = { email: 'Email', sms: 'SMS' } as const;

/** Sends an alert as a new job would, and shows for each channel whether it went out. */
function TestAlertButton() {
  const alert = useStore($testAlert);
  const isSending = alert.phase === 'sending';
  return (
    <section className="settings__part" aria-labelledby="test-alert">
      <h3 id="test-alert">Do alerts reach you?</h3>
      <p className="muted">Better to find out now than from a customer.</p>
      <button
        className="btn btn--secondary"
        type="button"
        aria-busy={isSending}
        aria-disabled={isSending}
        onClick={() => void askForTestAlert()}
      >
        {!isSending && <Icon name="send" />}
        <span>{isSending ? 'Sending…' : 'Send me a test alert'}</span>
      </button>
      <div role="status">
        {alert.phase === 'failed' && (
          <div className="alert alert--error">
            <Icon name="circle-alert" />
            <div>
              <strong>No test alert was sent</strong>
              <span>{alert.message}</span>
            </div>
          </div>
        )}
        {alert.phase === 'sent' && (
          <ul className="rows">
            {(['email', 'sms'] as const).map((channel) => (
              <TestedRow key={channel} name={channelNames[channel]} tested={alert.channels[channel]} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function TestedRow({ name, tested }: Readonly<{ name: string; tested: TestedChannel }>) {
  return (
    <li className="tested" data-outcome={tested.outcome}>
      <Icon name={signs[tested.outcome]} />
      <div>
        <strong>{name}</strong>
        <span>{tested.message}</span>
      </div>
    </li>
  );
}

/** What a tradie is notified of and how: each toggle is saved as it is turned. Content of the Notifications panel. */
export function NotificationSettings() {
  const { data, status, error } = useQuery(notificationsQuery);
  return (
    <div className="panel__body">
      {data ? (
        <Toggles stored={data} />
      ) : (
        <PartsLoading {...{ status, error }} onAgain={notificationsQuery.refresh} />
      )}
      {data && <TestAlertButton />}
    </div>
  );
}

type Alerts = Pick<Notifications, 'jobEnquiries' | 'simpleContacts' | 'email' | 'sms'>;

/** Why no alert of a new job reaches the tradie; null while one can. */
export function silence({ jobEnquiries, simpleContacts, email, sms }: Alerts): string | null {
  const off = !(email || sms) ? 'email and SMS' : !(jobEnquiries || simpleContacts) && 'both form alerts';
  return off ? `With ${off} off, you only see new jobs when you look here.` : null;
}

function Toggles({ stored }: Readonly<{ stored: Notifications }>) {
  const [{ $switches, turn }] = useState(() => notificationSwitches(stored));
  const { values, phases, problem } = useStore($switches);
  const silent = silence(values);
  return (
    <>
      {toggleGroups.map(({ title, names }) => (
        <section className="settings__part" key={title} aria-label={title}>
          <h3>{title}</h3>
          <div className="rows">
            {notificationToggles
              .filter(({ name }) => names.includes(name))
              .map(({ name, label }) =>
                name === 'account' ? (
                  <SwitchRow key={name} label={label} note={toggleNotes[name]} isOn isLocked />
                ) : (
                  <SwitchRow
                    key={name}
                    label={label}
                    note={toggleNotes[name]}
                    isOn={values[name]}
                    phase={phases[name]}
                    onTurn={(isOn) => void turn(name, isOn)}
                  />
                ),
              )}
          </div>
        </section>
      ))}
      {problem && (
        <div className="alert alert--error" role="alert">
          <Icon name="circle-alert" />
          <div>
            <strong>Not saved</strong>
            <span>{problem}</span>
          </div>
        </div>
      )}
      {silent && (
        <div className="alert alert--warning" role="status">
          <Icon name="triangle-alert" />
          <div>
            <strong>Nothing tells you of a new job</strong>
            <span>{silent}</span>
          </div>
        </div>
      )}
    </>
  );
}

/** What became of a test alert, by channel. `off`: its toggle is off, and nothing was sent. */
export type TestedChannels = AnswerOf<'POST', '/settings/notifications/test'>['channels'];
export type TestedChannel = TestedChannels[keyof TestedChannels];

async function fetchNotifications(signal: AbortSignal): Promise<Notifications> {
  const { notifications } = await request('GET', '/settings/notifications', { signal });
  return notifications;
}

/** Turns one toggle; all of them come back as they are saved. */
async function changeNotification(name: NotificationName, isOn: boolean): Promise<Notifications> {
  const { notifications } = await request('PUT', '/settings/notifications', {
    body: { [name]: isOn },
  });
  return notifications;
}

/** Sends an alert by every channel that is on. Takes as long as the slowest of them, up to ten seconds. */
export async function sendTestAlert(): Promise<TestedChannels> {
  const { channels } = await request('POST', '/settings/notifications/test');
  return channels;
}

export type TestAlert = Readonly<
  | { phase: 'none' | 'sending' }
  | { phase: 'sent'; channels: TestedChannels }
  | { phase: 'failed'; message: string }
>;

const alert = atom<TestAlert>({ phase: 'none' });

/** The test alert that was asked for last, and which channel brought it. */
const $testAlert: ReadableAtom<TestAlert> = alert;

/** Sends a test alert; while one is on its way nothing happens. Never rejects. */
async function askForTestAlert(): Promise<void> {
  if (alert.get().phase === 'sending') return;
  alert.set({ phase: 'sending' });
  try {
    alert.set({ phase: 'sent', channels: await sendTestAlert() });
  } catch (error) {
    alert.set({ phase: 'failed', message: error instanceof ApiError ? error.message : unknownFailure });
  }
}
