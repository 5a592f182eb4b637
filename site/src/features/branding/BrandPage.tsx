import { useState } from 'react';
import type { Profile } from '#site/lib/profile.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { type BrandChoice, type BrandStep, destination, firstStep } from './branding-steps.ts';
import { LogoStep } from './LogoStep.tsx';
import { ProfileGate } from './ProfileGate.tsx';
import { finishBranding } from './save-branding.ts';
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
        const problem = await finishBranding(choice, profile);
        if (problem === null) location.assign(destination(profile));
        return problem;
      }}
    />
  );
}
