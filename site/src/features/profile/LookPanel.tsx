import { useStore } from '@nanostores/react';
import { type SubmitEvent, useId, useState } from 'react';
import { planRules } from '#core/values/product.ts';
import type { ThemeColour } from '#core/values/theme-colours.ts';
import { noteFirstStep } from '#site/lib/first-steps.ts';
import { useQuery } from '#site/lib/http/query.ts';
import type { Profile } from '#site/lib/profile.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { type BrandChoice, brandingFailure, saveChoice } from '#site/ui/branding/branding.ts';
import { ColourField } from '#site/ui/branding/ColourField.tsx';
import { useLogoChoice } from '#site/ui/branding/logo-choice.ts';
import { AddressField, createSlugCheck, isSlugReady } from '#site/ui/branding/PublicAddressField.tsx';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { PartsLoading } from '#site/ui/PanelStates.tsx';
import { toast } from '#site/ui/toast/toast.ts';

type LookPanelProps = Readonly<{ close(): void }>;

/** Logo, colour and public address, with the job form as a customer's phone will show it. Content of the look panel. */
export function LookPanel({ close }: LookPanelProps) {
  const { data, status, error } = useQuery(profileQuery);
  if (data) return <LookForm profile={data} close={close} />;
  return (
    <div className="panel__body">
      <PartsLoading {...{ status, error }} onAgain={profileQuery.refresh} />
    </div>
  );
}

const colourHint =
  'Used on your job form, job pages and emails. Ute picks the text colour so it stays readable.';

/** Starts from the profile as it was when the panel opened: news of it overwrites nothing that is chosen. */
function LookForm({ profile: latest, close }: LookPanelProps & Readonly<{ profile: Profile }>) {
  const [profile] = useState(latest);
  const [choice, setChoice] = useState<BrandChoice>({
    ...{ logo: profile.logo, theme: profile.theme, slug: profile.slug ?? '' },
  });
  const [check] = useState(() => createSlugCheck(profile.slug));
  const state = useStore(check.$state);
  const [refused, setRefused] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const isReady = isSlugReady(choice.slug, state);
  const change = (changed: Partial<BrandChoice>) => {
    toast.dismiss(brandingFailure);
    setChoice((before) => ({ ...before, ...changed }));
  };

  async function save(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSaving || !isReady) return;
    setRefused(null);
    setIsSaving(true);
    const problem = await saveChoice(choice, profile).catch(() => '');
    setIsSaving(false);
    if (problem !== null) return setRefused(problem);
    noteFirstStep({ hasLook: true });
    toast.success('Your profile was updated successfully');
    void profileQuery.refresh();
    close();
  }

  return (
    <form
      className="panel__form"
      aria-label="Logo and colour"
      noValidate
      onSubmit={(event) => void save(event)}
    >
      <div className="panel__body">
        <div className="look">
          <FormOnPhone
            name={profile.bn.tradingName || profile.bn.name}
            logo={choice.logo}
            theme={choice.theme}
          />
          <div className="look__fields">
            {planRules[profile.type].logo ? (
              <LogoField logo={choice.logo} onChange={(logo) => change({ logo })} />
            ) : (
              <div className="field">
                <span className="field__label">Logo</span>
                <p className="look__plan">Logos come with Plus</p>
              </div>
            )}
            <ColourField
              label="Colour"
              hint={colourHint}
              chosen={choice.theme}
              onChoose={(theme) => change({ theme })}
            />
            <AddressField
              text={choice.slug}
              own={profile.slug}
              check={check}
              refused={refused}
              onChange={(slug) => {
                if (slug !== choice.slug) setRefused(null);
                change({ slug });
              }}
            />
          </div>
        </div>
      </div>
      <div className="panel__foot panel__foot--two">
        <button className="btn btn--secondary" type="button" onClick={close}>
          Cancel
        </button>
        <button
          className="btn btn--primary"
          type="submit"
          disabled={!isReady}
          aria-disabled={isSaving}
          aria-busy={isSaving}
        >
          Save changes
        </button>
      </div>
    </form>
  );
}

type Props = Readonly<{ logo: string | null; onChange(logo: string | null): void }>;

/** The logo of a business: the one there is, another one in its place by button or drop, or none. */
function LogoField({ logo, onChange }: Props) {
  const label = useId();
  const { problem, isReading, isOver, dropping, file, remove } = useLogoChoice(onChange);
  return (
    <div className="field" role="group" aria-labelledby={label} {...dropping}>
      <span className="field__label" id={label}>
        Logo
      </span>
      <div className={isOver ? 'look__logo is-over' : 'look__logo'}>
        <label className="look__choose">
          <span className="biz-logo">
            {logo ? <img src={logo} alt="Your logo" /> : <Icon name="image" />}
          </span>
          <span className="look__logo-text">
            <strong>{logo ? 'Your logo' : 'No logo yet'}</strong>
            <small>Square looks best, PNG, JPEG or WebP</small>
          </span>
          <input className="sr" aria-labelledby={`${label} ${label}-do`} {...file} />
          <span className="btn btn--secondary" id={`${label}-do`} aria-busy={isReading}>
            {logo ? 'Replace' : 'Choose'}
          </span>
        </label>
        {logo && (
          <button className="btn btn--quiet look__remove" type="button" onClick={remove}>
            Remove
          </button>
        )}
      </div>
      <FieldError id="logo-problem" message={problem} isLate />
      <p className="sr" role="status">
        {isReading ? 'Please wait...' : logo ? 'A logo is chosen' : ''}
      </p>
    </div>
  );
}

type FormOnPhoneProps = Readonly<{ name: string; logo: string | null; theme: ThemeColour }>;

/** The job form as a customer's phone shows it, with what is chosen but not saved. A picture: nothing in it can be used. */
function FormOnPhone({ name, logo, theme }: FormOnPhoneProps) {
  return (
    <div className="look__prev" data-biz={theme.slice(1)} role="img" aria-label="Preview of your job form">
      <div className="phone" aria-hidden="true">
        <div className="phone__top">
          <span className="biz-logo biz-logo--sm">
            {logo ? <img src={logo} alt="" /> : <Icon name="hammer" />}
          </span>
          <strong>{name}</strong>
        </div>
        <div className="phone__body">
          <span className="phone__q">What needs fixing?</span>
          <span className="phone__in" />
          <span className="phone__q">Photos</span>
          <span className="phone__photo">
            <Icon name="camera" />
          </span>
          <span className="btn btn--biz">Send</span>
        </div>
      </div>
    </div>
  );
}
