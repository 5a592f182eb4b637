import { useStore } from '@nanostores/react';
import { type SubmitEvent, useState } from 'react';
import { planRules } from '#core/values/product.ts';
import { noteFirstStep } from '#site/lib/first-steps.ts';
import { profileQuery } from '#site/lib/http/profile-query.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import type { Profile } from '#site/lib/profile.ts';
import { AddressField, isSlugReady } from '#site/ui/branding/AddressField.tsx';
import { type BrandChoice, brandingFailure, saveChoice } from '#site/ui/branding/branding.ts';
import { ColourField } from '#site/ui/branding/ColourField.tsx';
import { createSlugCheck } from '#site/ui/branding/slug-check.ts';
import { LoadFailure, PartsSkeleton } from '#site/ui/PanelStates.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { FormOnPhone } from './FormOnPhone.tsx';
import { LogoField } from './LogoField.tsx';

type LookPanelProps = Readonly<{ close(): void }>;

/** Logo, colour and public address, with the job form as a customer's phone will show it. Content of the look panel. */
export function LookPanel({ close }: LookPanelProps) {
  const { data, status, error } = useQuery(profileQuery);
  if (data) return <LookForm profile={data} close={close} />;
  return (
    <div className="panel__body">
      {status === 'error' ? (
        <LoadFailure message={error?.message ?? ''} onAgain={profileQuery.refresh} />
      ) : (
        <PartsSkeleton />
      )}
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
