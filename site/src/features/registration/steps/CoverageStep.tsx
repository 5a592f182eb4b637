import type { Registration } from '#site/features/registration/registration.ts';
import { $registration, changeRegistration } from '#site/features/registration/registration-store.ts';
import { StepHead } from '#site/features/registration/wizard/StepHead.tsx';
import { CoverageMapFrame, PostcodeField, RadiusField } from '#site/ui/coverage/CoverageFields.tsx';
import type { Coverage } from '#site/ui/coverage/coverage.ts';

/** Step 3: where the day starts, and how far the tradie drives from there. */
export function CoverageStep({ registration }: Readonly<{ registration: Registration }>) {
  const { location, entity } = registration;
  const region = registration.region ?? 'au';
  return (
    <div className="cover">
      <StepHead title="What area do you cover?">
        Tap the map where you start your day, then set how far you’ll drive.
      </StepHead>
      <CoverageMapFrame region={region} location={location} onChange={change} />
      <div>
        <RadiusField radius={location.radius} onChange={(radius) => change({ radius })} />
      </div>
      <div className="cover__pc">
        <PostcodeField
          region={region}
          known={entity?.postcode ?? ''}
          onFound={({ lat, lng, zoom }) => change({ lat, lng, zoom })}
        />
      </div>
    </div>
  );
}

function change(part: Partial<Coverage>): void {
  const current = $registration.get();
  if (current) changeRegistration({ location: { ...current.location, ...part } });
}
