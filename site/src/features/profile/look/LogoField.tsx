import { useId, useState } from 'react';
import { useLogoChoice } from '#site/ui/branding/logo-choice.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { Icon } from '#site/ui/Icon.tsx';

type Props = Readonly<{ logo: string | null; onChange(logo: string | null): void }>;

/** The logo of a business: the one there is, another one in its place by button or drop, or none. */
export function LogoField({ logo, onChange }: Props) {
  const label = useId();
  const { problem, isReading, take, remove } = useLogoChoice(onChange);
  const [isOver, setIsOver] = useState(false);
  return (
    <div
      className="field"
      role="group"
      aria-labelledby={label}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void take(event.dataTransfer.files);
      }}
    >
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
          <input
            className="sr"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            aria-labelledby={`${label} ${label}-do`}
            aria-describedby={problem === null ? undefined : 'logo-problem'}
            onChange={(event) => {
              void take(event.currentTarget.files);
              // The same file may be chosen again, after it was removed.
              event.currentTarget.value = '';
            }}
          />
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
