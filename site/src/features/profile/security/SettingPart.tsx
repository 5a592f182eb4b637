import { useEffect, useId, useRef, useState } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { onSubmitOf } from '#site/ui/form/form.ts';
import { Icon } from '#site/ui/Icon.tsx';

type Props = Readonly<{
  title: string;
  value: string;
  /** The button that opens the form. */
  change: string;
  /** Open from the start, because something was typed into it before. */
  startsOpen?: boolean;
  /** Called when the form was closed unsent. */
  onCancel?(): void;
  /** The form; it gets the function that closes it. */
  children(close: () => void): Elements;
  /** What stands below the value, open or not. */
  below?: Elements;
}>;

/** One thing that can be changed: what it is now, and the form behind a button. */
export function SettingPart(props: Props) {
  const { title, value, change, startsOpen = false, onCancel, children, below } = props;
  const heading = useId();
  const [isOpen, setOpen] = useState(startsOpen);
  const part = useRef<HTMLElement>(null);
  const hasTurned = useRef(false);
  // The button that had the focus is gone either way: its place takes it over.
  useEffect(() => {
    if (!hasTurned.current) return;
    part.current?.querySelector<HTMLElement>(isOpen ? 'form input:not(.sr)' : 'button')?.focus();
  }, [isOpen]);
  const turn = (open: boolean) => {
    hasTurned.current = true;
    setOpen(open);
  };
  return (
    <section className="settings__part" aria-labelledby={heading} ref={part}>
      <div className="settings__head">
        <h3 id={heading}>{title}</h3>
        <button
          className="btn btn--secondary btn--sm"
          type="button"
          aria-expanded={isOpen}
          onClick={() => {
            if (isOpen) onCancel?.();
            turn(!isOpen);
          }}
        >
          {isOpen ? 'Cancel' : change}
        </button>
        <p className="settings__value">{value}</p>
      </div>
      {isOpen && children(() => turn(false))}
      {below}
    </section>
  );
}

/** Gives the focus to the button of the part around a control that is about to go. */
export function focusOnPart(control: Element | null): void {
  control?.closest('.settings__part')?.querySelector<HTMLElement>('.settings__head button')?.focus();
}

/** Why a form was not taken, above its button. */
export function FormAlert({ message }: Readonly<{ message: string | null }>) {
  if (message === null) return null;
  return (
    <div className="alert alert--error" role="alert">
      <Icon name="circle-alert" />
      <div>{message}</div>
    </div>
  );
}

/** Why a form was refused: the message of each field that has one, and one for all where no field has. */
export type FormFailure = Readonly<{ message: string | null; fields: Readonly<Record<string, string>> }>;

export function formFailure(error: unknown): FormFailure {
  if (!(error instanceof ApiError)) return { message: unknownFailure, fields: {} };
  const { message, fields } = error;
  return { message: Object.keys(fields).length > 0 ? null : message, fields };
}

type Refusable = Readonly<{
  setErrorMap(errors: { onSubmit: { form: undefined; fields: FormFailure['fields'] } }): void;
}>;

/**
 * What a form's sending came to: `failure` for `FormAlert`, until it is cleared. `send` does the work of a form, which may throw as the API
 * refuses it; the messages of fields go to the fields.
 */
export function useSending() {
  const [failure, setFailure] = useState<string | null>(null);
  const clear = () => setFailure(null);
  async function send(form: Refusable, work: () => Promise<void>): Promise<void> {
    clear();
    try {
      await work();
    } catch (error) {
      const { message, fields } = formFailure(error);
      setFailure(message);
      form.setErrorMap({ onSubmit: { form: undefined, fields } });
    }
  }
  return { failure, clear, send };
}

/** The form of a setting. `onSend` is called for its button and for Enter. */
export function SettingForm({
  label,
  onSend,
  children,
}: Readonly<{ label: string; onSend(): unknown; children: Elements }>) {
  return (
    <form className="settings__form" aria-label={label} noValidate onSubmit={onSubmitOf(onSend)}>
      {children}
    </form>
  );
}
