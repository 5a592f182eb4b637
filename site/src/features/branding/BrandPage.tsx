import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { noteFirstStep } from '#site/lib/first-steps.ts';
import { loadProfile, type Profile } from '#site/lib/profile.ts';
import { type BrandChoice, brandingFailure, saveChoice } from '#site/ui/branding/branding.ts';
import { ColourField } from '#site/ui/branding/ColourField.tsx';
import { useLogoChoice } from '#site/ui/branding/logo-choice.ts';
import { AddressField, createSlugCheck, isSlugReady } from '#site/ui/branding/PublicAddressField.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { carryToast } from '#site/ui/toast/carried-toast.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { type BrandStep, destination, firstStep } from './branding-steps.ts';
import { ProfileGate, SetupForm } from './SetupForm.tsx';

/** `/profile/brand`: the logo on the plans that have one, then the colour and the public address. */
export function BrandPage() {
  return (
    <FaultBoundary>
      <ProfileGate>{(profile) => <BrandForm profile={profile} />}</ProfileGate>
    </FaultBoundary>
  );
}

/** Starts from the profile as it was when the page opened: news of it overwrites nothing that is chosen. */
function BrandForm({ profile: latest }: Readonly<{ profile: Profile }>) {
  const [profile] = useState(latest);
  const first = firstStep(profile.type);
  const [step, setStep] = useState<BrandStep>(first);
  const [hasMoved, setHasMoved] = useState(false);
  const [choice, setChoice] = useState<BrandChoice>({
    ...{ logo: profile.logo, theme: profile.theme, slug: profile.slug ?? '' },
  });
  const change = (changed: Partial<BrandChoice>) => setChoice((before) => ({ ...before, ...changed }));
  const go = (to: BrandStep) => {
    setHasMoved(true);
    setStep(to);
  };

  if (step === 'logo') {
    return (
      <LogoStep
        logo={choice.logo}
        isGoneTo={hasMoved}
        onChange={(logo) => change({ logo })}
        onNext={() => go('theme')}
      />
    );
  }
  return (
    <ThemeStep
      choice={choice}
      ownSlug={profile.slug}
      isGoneTo={hasMoved}
      onChange={change}
      onBack={first === 'logo' ? () => go('logo') : undefined}
      onNext={async () => {
        const problem = await saveChoice(choice, profile);
        if (problem !== null) return problem;
        await loadProfile().catch(() => {});
        carryToast('success', 'Your profile was updated successfully');
        noteFirstStep({ hasLook: true });
        location.assign(destination(profile));
        return null;
      }}
    />
  );
}

type Props = Readonly<{
  /** A path of ours or a data URL. */
  logo: string | null;
  isGoneTo: boolean;
  onChange(logo: string | null): void;
  onNext(): void;
}>;

/** 'Add your logo': one image, chosen or dropped, made small in the browser. */
function LogoStep({ logo, isGoneTo, onChange, onNext }: Props) {
  const { problem, isReading, isOver, dropping, file, remove } = useLogoChoice(onChange);

  return (
    <SetupForm
      name="Logo"
      title="Add your logo"
      lede="Customers see it at the top of your page."
      isGoneTo={isGoneTo}
      isBusy={isReading}
      onNext={onNext}
    >
      {logo && (
        <div className="logo-pick">
          <span className="biz-logo logo-pick__shown">
            <img src={logo} alt="Your logo" />
          </span>
          <button className="btn btn--secondary" type="button" onClick={remove}>
            <Icon name="x" />
            <span>Remove</span>
          </button>
        </div>
      )}
      <label className={isOver ? 'drop is-over' : 'drop'} {...dropping}>
        <input className="sr" {...file} />
        <Icon name="image" className="icon--lg" />
        <span>
          <strong>{logo ? 'Choose another image' : 'Choose an image'}</strong>
          <span className="only-md"> or drop it here</span>
        </span>
        <small>One PNG, JPEG or WebP</small>
      </label>
      <FieldError id="logo-problem" message={problem} isLate />
      <p className="sr" role="status">
        {isReading ? 'Please wait...' : logo ? 'A logo is chosen' : ''}
      </p>
    </SetupForm>
  );
}

type ThemeStepProps = Readonly<{
  choice: BrandChoice;
  /** The address that the business has. */
  ownSlug: string | null;
  isGoneTo: boolean;
  onChange(changed: Partial<BrandChoice>): void;
  onBack: (() => void) | undefined;
  /** Saves; gives what is wrong with the address, '' for another refusal, null when it is saved. */
  onNext(): Promise<string | null>;
}>;

/** 'Customise appearance': the colour of the public page and its address. */
function ThemeStep({ choice, ownSlug, isGoneTo, onChange, onBack, onNext }: ThemeStepProps) {
  const [check] = useState(() => createSlugCheck(ownSlug));
  const state = useStore(check.$state);
  const [refused, setRefused] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);

  async function save(): Promise<void> {
    setRefused(null);
    setIsSaving(true);
    const outcome = await onNext().catch(() => '');
    // Saved: the page is on its way, and its button stays as it is.
    if (outcome === null) return;
    setIsSaving(false);
    setRefused(outcome);
  }

  return (
    <SetupForm
      name="Appearance"
      title="Customise appearance"
      lede="How your page looks, and where customers find it."
      isGoneTo={isGoneTo}
      isNextOff={!isSlugReady(choice.slug, state)}
      isBusy={isSaving}
      onBack={onBack}
      onNext={() => void save()}
    >
      <ColourField label="Theme colour" chosen={choice.theme} onChoose={(theme) => onChange({ theme })} />
      <AddressField
        text={choice.slug}
        own={ownSlug}
        check={check}
        refused={refused}
        onChange={(slug) => {
          if (slug !== choice.slug) setRefused(null);
          toast.dismiss(brandingFailure);
          onChange({ slug });
        }}
      />
    </SetupForm>
  );
}
