import { useState } from 'react';
import { noteFirstStep } from '#site/lib/first-steps.ts';
import { loadProfile, type Profile } from '#site/lib/profile.ts';
import { type BrandChoice, saveChoice } from '#site/ui/branding/branding.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { carryToast } from '#site/ui/toast/carried-toast.ts';
import { type BrandStep, destination, firstStep } from './branding-steps.ts';
import { LogoStep } from './LogoStep.tsx';
import { ProfileGate } from './ProfileGate.tsx';
import { ThemeStep } from './ThemeStep.tsx';

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
