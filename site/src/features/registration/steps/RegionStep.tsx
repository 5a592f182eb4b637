import { type Region, regionNames, regions } from '#core/values/region.ts';
import { defaultLocation } from '#core/values/registration-steps.ts';
import type { Registration } from '#site/features/registration/registration.ts';
import { changeRegistration } from '#site/features/registration/registration-store.ts';
import { StepHead } from '#site/features/registration/wizard/StepHead.tsx';

const notes: Record<Region, string> = { au: 'ABN, +61 mobiles', nz: 'NZBN, +64 mobiles' };

/** Before the first step: the country. What was found out for the other one does not count in this one. */
export function RegionStep({ registration }: Readonly<{ registration: Registration }>) {
  function choose(region: Region): void {
    if (region === registration.region) return;
    const verify = { ...registration.verify, phoneVerified: false };
    changeRegistration({ region, entity: null, location: defaultLocation, verify });
  }

  return (
    <>
      <StepHead title="Where are you based?">
        It decides which register we look your business up in, and which mobiles we text.
      </StepHead>
      <fieldset className="rows">
        <legend className="sr">Where are you based?</legend>
        {regions.map((region) => (
          <label key={region} className="row">
            <input
              type="radio"
              name="region"
              checked={registration.region === region}
              onChange={() => choose(region)}
            />
            <span className="row__text">
              <span>{regionNames[region]}</span>
              <span className="row__note">{notes[region]}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </>
  );
}
