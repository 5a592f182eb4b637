import { useStore } from '@nanostores/react';
import { type MouseEvent, Suspense, useRef, useState } from 'react';
import { planLine, planNames } from '#core/values/plan-lines.ts';
import { plans } from '#core/values/product.ts';
import { type Appearance, appearances, chooseAppearance, readAppearance } from '#site/lib/appearance.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { initials, type Profile } from '#site/lib/profile.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { ClosingNote } from '#site/ui/ClosingNote.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { PartsSkeleton } from '#site/ui/PanelStates.tsx';
import { Sheet } from '#site/ui/Sheet.tsx';
import { shareJobForm } from '#site/ui/share-job-form.ts';
import {
  $openPanel,
  closePanel,
  lookPanel,
  openPanel,
  panelPath,
  settingsPanels,
} from './settings-panels.tsx';
import { Welcome } from './Welcome.tsx';

/** The entries of the settings page, each opening its panel. A link, so that one may be opened in a new tab. */
function SettingsEntries() {
  return (
    <nav className="rows entries" aria-label="Settings">
      {settingsPanels.map(({ id, name, note, icon }) => (
        <a className="entry" key={id} href={panelPath(id)} onClick={(event) => openOnPress(event, id)}>
          <span className="entry__sign">
            <Icon name={icon} />
          </span>
          <span className="entry__text">
            <strong>{name}</strong>
            <span>{note}</span>
          </span>
          <Icon name="chevron-right" />
        </a>
      ))}
    </nav>
  );
}

/** Opens a panel over the page where its link is pressed plainly. */
function openOnPress(event: MouseEvent, id: string): void {
  if (!isPlain(event)) return;
  event.preventDefault();
  openPanel(id);
}

function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

/** The open panel over the settings page, by the address. Once on the page. */
function SettingsPanelHost() {
  const dialog = useRef<HTMLDialogElement>(null);
  const panel = useStore($openPanel, { ssr: () => null });
  if (!panel) return null;
  const { id, title, Content } = panel;
  return (
    <Sheet key={id} title={title} dialog={dialog} onClose={closePanel}>
      <Suspense
        fallback={
          <div className="panel__body">
            <PartsSkeleton />
          </div>
        }
      >
        <Content close={closePanel} />
      </Suspense>
    </Sheet>
  );
}

const names: Readonly<Record<Appearance, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Light, dark, or as the system has it; stored in this browser. */
function AppearanceCard() {
  const [chosen, setChosen] = useState(readAppearance);
  return (
    <fieldset className="card appearance">
      <legend className="sr">Appearance</legend>
      <strong aria-hidden="true">Appearance</strong>
      <div className="appearance__choices">
        {appearances.map((appearance) => (
          <label className="appearance__choice" key={appearance}>
            <input
              className="sr"
              type="radio"
              name="appearance"
              checked={chosen === appearance}
              onChange={() => {
                setChosen(appearance);
                chooseAppearance(appearance);
              }}
            />
            <span>{names[appearance]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Who is signed in, the business's public face, the settings, and on a phone the way out. */
export function ProfilePage() {
  return (
    <FaultBoundary>
      <ProfileSummary />
      <a className="btn btn--secondary btn--block only-sm" href="/logout">
        <Icon name="log-out" />
        <span>Logout</span>
      </a>
      <SettingsPanelHost />
    </FaultBoundary>
  );
}

function ProfileSummary() {
  const { data: profile, status, error } = useQuery(profileQuery);
  if (!profile && status === 'error') return <LoadFailure message={error?.message ?? ''} />;
  if (!profile) return <ProfileSkeleton />;
  if (profile.onboarding) return <Welcome slug={profile.slug} />;
  const { firstName, lastName, email, type, closesAt, timeZone } = profile;
  return (
    <>
      {closesAt && <ClosingNote closesAt={closesAt} timeZone={timeZone} />}
      <div className="profile__sum">
        <span className="avatar avatar--lg" aria-hidden="true">
          {initials(firstName, lastName)}
        </span>
        <div>
          <h1>{`${firstName} ${lastName}`}</h1>
          <p className="lede">{email}</p>
          <p className="plan">{`${planNames[type]} plan`}</p>
          <p className="plan__line">{planLine(type)}</p>
          <details className="plan__all">
            <summary>What the other plans are</summary>
            <dl>
              {plans
                .filter((plan) => plan !== type)
                .map((plan) => (
                  <div key={plan}>
                    <dt>{planNames[plan]}</dt>
                    <dd>{planLine(plan)}</dd>
                  </div>
                ))}
            </dl>
          </details>
        </div>
      </div>
      <div className="profile__cols">
        <BusinessProfileCard profile={profile} />
        <div className="profile__side">
          <SettingsEntries />
          <AppearanceCard />
        </div>
      </div>
    </>
  );
}

function LoadFailure({ message }: { message: string }) {
  return (
    <div className="empty" role="alert">
      <span className="empty__sign empty__sign--error">
        <Icon name="circle-alert" />
      </span>
      <h1>Profile</h1>
      <p>{message}</p>
      <button className="btn btn--secondary" type="button" onClick={() => void profileQuery.refresh()}>
        <Icon name="refresh-cw" />
        <span>Try again</span>
      </button>
    </div>
  );
}

/** The business as customers meet it, with its job form to look at and to hand out. Without a slug it has no form yet. */
function BusinessProfileCard({ profile }: { profile: Profile }) {
  const { logo, theme, type, bn, closesAt } = profile;
  // A page that is offline is not shown, and not handed out.
  const slug = closesAt ? null : profile.slug;
  return (
    <section className="card bp" aria-labelledby="business-profile" data-biz={theme.slice(1)}>
      <h2 id="business-profile">Business Profile</h2>
      <div className="bp__id">
        <span className="biz-logo" aria-hidden="true">
          {logo ? <img src={logo} alt="" /> : <Icon name="hammer" />}
        </span>
        <div>
          <strong>{bn.tradingName || bn.name}</strong>
          {slug && <span className="bp__url">{`${location.host}/t/${slug}`}</span>}
        </div>
      </div>
      <div className="bp__do">
        {slug ? (
          <a className="btn btn--secondary" href={`/t/${slug}`} target="_blank" rel="noopener">
            <Icon name="eye" />
            <span>Preview</span>
          </a>
        ) : (
          <button className="btn btn--secondary" type="button" disabled>
            <Icon name="eye" />
            <span>Preview</span>
          </button>
        )}
        <button
          className="btn btn--primary"
          type="button"
          disabled={!slug}
          onClick={() => slug && void shareJobForm(slug)}
        >
          <Icon name="copy" />
          <span>Share</span>
        </button>
      </div>
      <a
        className="bp__edit"
        href={panelPath(lookPanel.id)}
        onClick={(event) => openOnPress(event, lookPanel.id)}
      >
        {type === 'starter' ? 'Change colour and address' : 'Change logo, colour and address'}
      </a>
      {!slug && (
        <p className="muted">
          {closesAt
            ? 'Your job form is offline, because your business is to be closed.'
            : 'Your job form gets its address when your profile is set up.'}
        </p>
      )}
    </section>
  );
}
/** The shape of the profile while it loads. */
function ProfileSkeleton() {
  return (
    <>
      <div className="profile__sum" role="status">
        <span className="sk sk--round avatar--lg" />
        <div className="profile__sk">
          <h1 className="sr">Profile</h1>
          <span className="sk" />
          <span className="sk" />
          <span className="sr">Loading…</span>
        </div>
      </div>
      <div className="profile__cols">
        <div className="card bp">
          <span className="sk" />
          <span className="sk sk--block bp__sk" />
        </div>
      </div>
    </>
  );
}
