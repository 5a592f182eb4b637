import { type RefObject, type SyntheticEvent, useCallback, useId } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { Icon } from './Icon.tsx';
import { dialogClosed, dialogOpened } from './screen-store.ts';

type Props = Readonly<{
  title: string;
  /** The dialog itself: `close()` on it ends the sheet and gives the focus back to where it came from. */
  dialog: RefObject<HTMLDialogElement | null>;
  /** Called when it is closed, in whatever way. */
  onClose(): void;
  /** What has the focus first, as a selector; without one it is the sheet itself. */
  focusOn?: string;
  className?: string;
  children: Elements;
}>;

/** A panel over the page, the whole screen on a phone. Modal from the moment it is mounted. */
export function Sheet({ title, dialog, onClose, focusOn, className = 'panel', children }: Props) {
  const heading = useId();
  // The same function in every round: React calls a new one again, and would open a dialog that is just closing.
  const open = useCallback(
    (element: HTMLDialogElement | null) => {
      // A sheet that is taken away while it is open would leave the focus nowhere.
      if (!element && dialog.current) {
        dialogClosed(dialog.current);
        dialog.current.close();
      }
      dialog.current = element;
      if (!element || element.open) return;
      element.showModal();
      dialogOpened(element);
      const first = focusOn ? element.querySelector<HTMLElement>(focusOn) : null;
      (first ?? element).focus();
    },
    [dialog, focusOn],
  );
  // React lets the event of a sheet in this one bubble, which the browser does not; one that was removed sends no event.
  const onOwnClose = ({ target, currentTarget }: SyntheticEvent) => {
    if (target !== currentTarget || !dialog.current) return;
    dialogClosed(dialog.current);
    onClose();
  };
  return (
    <dialog ref={open} className={className} tabIndex={-1} aria-labelledby={heading} onClose={onOwnClose}>
      <div className="panel__head">
        <h2 id={heading}>{title}</h2>
        <button
          className="btn btn--icon btn--quiet"
          type="button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="x" className="icon--lg" />
        </button>
      </div>
      {children}
    </dialog>
  );
}
