import { useState } from 'react';
import { useLogoChoice } from '#site/ui/branding/logo-choice.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { SetupForm } from './SetupForm.tsx';

type Props = Readonly<{
  /** A path of ours or a data URL. */
  logo: string | null;
  isGoneTo: boolean;
  onChange(logo: string | null): void;
  onNext(): void;
}>;

/** 'Add your logo': one image, chosen or dropped, made small in the browser. */
export function LogoStep({ logo, isGoneTo, onChange, onNext }: Props) {
  const { problem, isReading, take, remove } = useLogoChoice(onChange);
  const [isOver, setIsOver] = useState(false);

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
            Remove
          </button>
        </div>
      )}
      <label
        className={isOver ? 'drop is-over' : 'drop'}
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
        <input
          className="sr"
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby={problem === null ? undefined : 'logo-problem'}
          onChange={(event) => {
            void take(event.currentTarget.files);
            // The same file may be chosen again, after it was removed.
            event.currentTarget.value = '';
          }}
        />
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
