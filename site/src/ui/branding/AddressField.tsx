import { useStore } from '@nanostores/react';
import { isSlug, normaliseSlug } from '#core/values/slug.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { type SlugCheck, type SlugState, slugNotes, slugProblem } from './slug-check.ts';

type Props = Readonly<{
  /** As it is typed. */
  text: string;
  /** The address that the business has. */
  own: string | null;
  check: SlugCheck;
  /** What the server answered to a try to save it; null while it has not. */
  refused: string | null;
  onChange(text: string): void;
}>;

/** The address of the public page, checked as it is typed. */
export function AddressField({ text, own, check, refused, onChange }: Props) {
  const state = useStore(check.$state);
  const slug = normaliseSlug(text);
  const problem = refused || slugProblem(state);
  return (
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
          value={text}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={60}
          aria-invalid={problem !== null}
          aria-describedby={`slug-host ${problem ? 'slug-problem' : 'slug-note'}`}
          onChange={(event) => {
            onChange(event.target.value);
            check.type(event.target.value);
          }}
          onBlur={() => onChange(slug)}
        />
      </span>
      <p className="field__hint" id="slug-note" role="status">
        {problem || state === 'taken' || state === 'unavailable' ? '' : slugNotes[state]}
      </p>
      <FieldError id="slug-problem" message={problem} isLate />
      {own && slug !== own && (
        <p className="field__hint">{`Links to /t/${own} lead to the new address for 180 days.`}</p>
      )}
    </div>
  );
}

/** Whether an address in this state may be saved. */
export function isSlugReady(text: string, state: SlugState): boolean {
  return isSlug(normaliseSlug(text)) && slugProblem(state) === null && state !== 'checking';
}
