import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { type Notifications, notificationToggles } from '#core/values/notifications.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { SwitchRow } from '#site/ui/form/SwitchRow.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { LoadFailure, PartsSkeleton } from '#site/ui/PanelStates.tsx';
import { toggleGroups, toggleNotes } from './notification-groups.ts';
import { notificationSwitches, notificationsQuery } from './notifications-store.ts';
import { TestAlertButton } from './TestAlertButton.tsx';

/** What a tradie is notified of and how: each toggle is saved as it is turned. Content of the Notifications panel. */
export function NotificationSettings() {
  const { data, status, error } = useQuery(notificationsQuery);
  return (
    <div className="panel__body">
      {data ? (
        <Toggles stored={data} />
      ) : status === 'error' ? (
        <LoadFailure message={error?.message ?? ''} onAgain={notificationsQuery.refresh} />
      ) : (
        <PartsSkeleton />
      )}
      {data && <TestAlertButton />}
    </div>
  );
}

function Toggles({ stored }: Readonly<{ stored: Notifications }>) {
  const [{ $switches, turn }] = useState(() => notificationSwitches(stored));
  const { values, phases, problem } = useStore($switches);
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
            {problem}
          </div>
        </div>
      )}
      {!values.email && !values.sms && (
        <div className="alert alert--warning" role="status">
          <Icon name="triangle-alert" />
          <div>
            <strong>Nothing tells you of a new job</strong>
            With email and SMS off, you only see new jobs when you look here.
          </div>
        </div>
      )}
    </>
  );
}
