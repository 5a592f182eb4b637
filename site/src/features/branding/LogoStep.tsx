import { useState } from 'react';
import { LogoError, logoFrom } from '#site/lib/form/logo-file.ts';
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

const unreadable = 'This file could not be read, please try another one';

/** 'Add your logo': one image, chosen or dropped, made small in the browser. */
export function LogoStep({ logo, isGoneTo, onChange, onNext }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [isOver, setIsOver] = useState(false);

  function remove(): void {
    setProblem(null);
    onChange(null);
  }

  async function take(files: FileList | null): Promise<void> {
    const [file, ...others] = files ?? [];
    if (!file) return;
    if (others.length > 0) return setProblem('Choose one image only');
    setProblem(null);
    setIsReading(true);
    try {
      onChange(await logoFrom(file));
    } catch (error) {
      if (!(error instanceof LogoError)) console.error(error);
      setProblem(error instanceof LogoError ? error.message : unreadable);
    } finally {
      setIsReading(false);
    }
  }

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
