import type { Elements } from 'react/jsx-runtime';
import './photo-sheet.css';
import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useId } from 'react';
import { Icon } from '#site/ui/Icon.tsx';
import { ignoreSecondTap } from '#site/ui/screen-store.ts';
import { AddPhoto } from './AddPhoto.tsx';
import { stopAsking } from './after-photos.ts';

type Props = Readonly<{
  title: string;
  /** The id of what describes it. */
  describedBy: string;
  className?: string;
  /** The sheet itself, for who gives it the focus back. */
  sheet?: RefObject<HTMLElement | null>;
  /** Called for Escape and Close: the focus is to be given on. */
  onClose(): void;
  /** Called once something else was pressed, or the focus went there. The same function in every round. */
  onLeave(): void;
  children: Elements;
}>;

/** Toasts are about what led to the sheet as well: to press one is not to leave it. */
const isOutside = (target: Node, sheet: HTMLElement) =>
  !sheet.contains(target) && !(target instanceof Element && target.closest('.toast-place'));

/** Has `--ask-h` say how high the sheet is: the toast of what led to it shows at the same time, and would lie on its buttons. */
function liftToasts(sheet: HTMLElement): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--ask-h', `${sheet.offsetHeight}px`));
  observer.observe(sheet, { box: 'border-box' });
  return () => {
    observer.disconnect();
    style.removeProperty('--ask-h');
  };
}

/** A sheet over the page and not in its way: the bar below stays, and what is pressed there does what it always does. */
export function PhotoSheet({ title, describedBy, className = '', sheet, onClose, onLeave, children }: Props) {
  const heading = useId();
  const open = useCallback(
    (element: HTMLElement) => {
      if (sheet) sheet.current = element;
      element.focus();
      const onClick = ({ target }: MouseEvent) => {
        if (target instanceof Node && target.isConnected && isOutside(target, element)) onLeave();
      };
      document.addEventListener('click', onClick, { capture: true });
      const lowerToasts = liftToasts(element);
      return () => {
        lowerToasts();
        document.removeEventListener('click', onClick, { capture: true });
      };
    },
    [sheet, onLeave],
  );

  function close(): void {
    ignoreSecondTap();
    onClose();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  }

  // The keyboard would go on below the sheet, where nothing is seen of it.
  function onBlur({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>): void {
    if (relatedTarget instanceof Node && isOutside(relatedTarget, currentTarget)) onLeave();
  }

  return (
    <section
      ref={open}
      className={`photo-sheet ${className}`}
      role="dialog"
      tabIndex={-1}
      aria-labelledby={heading}
      aria-describedby={describedBy}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      <div className="photo-sheet__head">
        <h2 id={heading}>{title}</h2>
        <button className="btn btn--icon btn--quiet" type="button" aria-label="Close" onClick={close}>
          <Icon name="x" className="icon--lg" />
        </button>
      </div>
      {children}
    </section>
  );
}

/** Asks for photos of the finished work. Those that are chosen are described next. */
export function AskForAfterPhotos({ onChoose }: Readonly<{ onChoose(files: File[]): void }>) {
  const hint = useId();
  function close(): void {
    stopAsking();
    const steps = [...document.querySelectorAll<HTMLElement>('[data-next-step]')];
    steps.find((step) => step.checkVisibility())?.focus({ preventScroll: true });
  }

  return (
    <PhotoSheet
      title="Add after photos?"
      describedBy={hint}
      className="photo-sheet--ask"
      onClose={close}
      onLeave={stopAsking}
    >
      <p id={hint} className="photo-sheet__hint">
        They show the work as you left it. You can add them later too.
      </p>
      <div className="photo-sheet__foot photo-sheet__foot--2">
        <button
          className="btn btn--secondary btn--lg"
          type="button"
          onClick={() => {
            ignoreSecondTap();
            close();
          }}
        >
          Not now
        </button>
        <AddPhoto
          label="Add photos"
          className="btn btn--primary btn--lg"
          onChoose={(files) => {
            if (files.length === 0) return;
            stopAsking();
            onChoose(files);
          }}
        />
      </div>
    </PhotoSheet>
  );
}
