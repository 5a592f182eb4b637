import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { type ThemeColour, themeColours } from '#core/values/business.ts';
import { isSlug, normaliseSlug } from '#core/values/slug.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import type { BrandChoice } from './branding-steps.ts';
import { SetupForm } from './SetupForm.tsx';
import { brandingFailure } from './save-branding.ts';
import { createSlugCheck, slugNotes, slugProblem } from './slug-check.ts';

/** What the colours are called, for users of screen readers. */
const colourNames: Readonly<Record<ThemeColour, string>> = {
  '#C21313': 'Red',
  '#5053AE': 'Indigo',
  '#5C9B61': 'Green',
  '#DF7811': 'Orange',
  '#FFFFFF': 'White',
  '#626367': 'Grey',
  '#1D1B1B': 'Black',
  '#6B8FE4': 'Sky blue',
};

type Props = Readonly<{
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
export function ThemeStep({ choice, ownSlug, isGoneTo, onChange, onBack, onNext }: Props) {
  const [check] = useState(() => createSlugCheck(ownSlug));
  const state = useStore(check.$state);
  const [refused, setRefused] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const slug = normaliseSlug(choice.slug);
  const problem = refused || slugProblem(state);

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
      isNextOff={!isSlug(slug) || slugProblem(state) !== null || state === 'checking'}
      isBusy={isSaving}
      onBack={onBack}
      onNext={() => void save()}
    >
      <fieldset className="field look__colours">
        <legend className="field__label">Theme colour</legend>
        <div className="swatches">
          {themeColours.map((colour) => (
            <label className="swatch" data-biz={colour.slice(1)} key={colour} title={colourNames[colour]}>
              <input
                type="radio"
                name="theme"
                aria-label={colourNames[colour]}
                checked={choice.theme === colour}
                onChange={() => onChange({ theme: colour })}
              />
              <Icon name="check" />
            </label>
          ))}
        </div>
      </fieldset>
      <div className="field">
        <label className="field__label" htmlFor="slug">
          Public page address
        </label>
        <span className="look__address">
          <span className="look__host" id="slug-host">
            {`${location.host}/t/`}
          </span>
          <input
            className="input"
            id="slug"
            name="slug"
            value={choice.slug}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={60}
            aria-invalid={problem !== null}
            aria-describedby={`slug-host ${problem ? 'slug-problem' : 'slug-note'}`}
            onChange={(event) => {
              setRefused(null);
              toast.dismiss(brandingFailure);
              onChange({ slug: event.target.value });
              check.type(event.target.value);
            }}
            onBlur={() => onChange({ slug })}
          />
        </span>
        <p className="field__hint" id="slug-note" role="status">
          {problem || state === 'taken' || state === 'unavailable' ? '' : slugNotes[state]}
        </p>
        <FieldError id="slug-problem" message={problem} isLate />
        {ownSlug && slug !== ownSlug && (
          <p className="field__hint">{`Links to /t/${ownSlug} lead to the new address for 180 days.`}</p>
        )}
      </div>
    </SetupForm>
  );
}
