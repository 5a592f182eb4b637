import { useStore } from '@nanostores/react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { toast as sonner, Toaster } from 'sonner';
import { Icon } from '#site/ui/Icon.tsx';
import type { IconName } from '#site/ui/icons.ts';
import { $isPhone, $openDialogs, keepOnTop } from '#site/ui/screen-store.ts';
import { mostToasts, toastDuration, toastDurationWithUndo } from './carried-toast.ts';

const sides = { left: 16, right: 16 };
const atTop = { top: 30, ...sides };
/** Below the head of a sheet, where it covers neither its title nor the way to close it. */
const belowHead = { top: 'calc(4rem + 12px)', ...sides };
/** Above the page's bar by its real height, else above the tabs by theirs; above a sheet over the bar, too, but never out of sight. */
const aboveBar = {
  bottom:
    'min(var(--thumbbar-h, var(--foot-h, var(--tabs-reach, env(safe-area-inset-bottom)))) + var(--ask-h, 0px) + 12px, 100dvh - 8.5rem)',
  left: 12,
  right: 12,
};

/**
 * Where the toasts of a page appear: above the bar under the thumb on a phone, else top centre, 30 px from the top, and in
 * the dialog that is open over the page. Ctrl+Z takes back what the newest is about.
 */
function Toasts({ onReady }: Readonly<{ onReady: () => void }>) {
  const [place] = useState(() => Object.assign(document.createElement('div'), { className: 'toast-place' }));
  const isPhone = useStore($isPhone);
  const isOverDialog = useStore($openDialogs).length > 0;
  useEffect(() => keepOnTop(place), [place]);
  useEffect(() => passFocusOn(place), [place]);
  // An effect, because the toaster misses every toast that was made before it was there.
  useEffect(onReady, [onReady]);
  useEffect(measureTabs, []);
  useEffect(() => {
    document.addEventListener('keydown', undoByKey);
    return () => document.removeEventListener('keydown', undoByKey);
  }, []);
  // A dialog has its own controls at its lower end.
  const isUnderThumb = isPhone && !isOverDialog;
  const offset = isUnderThumb ? aboveBar : isOverDialog ? belowHead : atTop;
  return createPortal(
    <Toaster
      position={isUnderThumb ? 'bottom-center' : 'top-center'}
      offset={offset}
      mobileOffset={offset}
      visibleToasts={mostToasts}
      expand
      style={{ '--width': '26rem' } as React.CSSProperties}
    />,
    place,
  );
}

/** Draws the toasts of the page; resolves once they can be shown. To be called once. */
export function startToasts(): Promise<ToastList> {
  return new Promise((resolve) => {
    const onReady = () => resolve(shownToasts);
    createRoot(document.createElement('div')).render(<Toasts onReady={onReady} />);
  });
}

/**
 * Lets Tab go on from the toasts: sonner gives the focus back to where it came from, and it would go between the two for ever. After the last
 * of a dialog comes its first again, and what is pressed leaves with its toast: then the focus is where it was before. To be called
 * once sonner listens, so that this has the last word.
 */
function passFocusOn(place: HTMLElement): () => void {
  let before: HTMLElement | null = null;
  const remember = ({ relatedTarget: from }: FocusEvent) => {
    if (from instanceof HTMLElement && !place.contains(from)) before = from;
  };
  const goBack = () => {
    if (!place.contains(document.activeElement)) return;
    const dialog = $openDialogs.get().at(-1);
    const isInReach = before?.isConnected && (!dialog || dialog.contains(before));
    (isInReach ? before : dialog)?.focus();
  };
  const goOn = ({ relatedTarget: next }: FocusEvent) => {
    if (next instanceof HTMLElement && !place.contains(next)) next.focus();
  };
  const goRound = (event: KeyboardEvent) => {
    const isLast = event.target === [...place.querySelectorAll('button')].at(-1);
    const first = $openDialogs.get().at(-1)?.querySelector<HTMLElement>('a[href], button:enabled');
    if (event.key !== 'Tab' || event.shiftKey || !isLast || !first) return;
    event.preventDefault();
    first.focus();
  };
  place.addEventListener('focusin', remember);
  place.addEventListener('focusout', goOn);
  place.addEventListener('keydown', goRound);
  place.addEventListener('click', goBack);
  return () => {
    place.removeEventListener('focusin', remember);
    place.removeEventListener('click', goBack);
    place.removeEventListener('focusout', goOn);
    place.removeEventListener('keydown', goRound);
  };
}

/** Ctrl+Z or Cmd+Z takes back the change that a toast shows; in a field it goes on to take back what was typed. */
function undoByKey(event: KeyboardEvent): void {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'z';
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
  if (isUndo && !isTyping && shownToasts.undoNewest()) event.preventDefault();
}

/** Has `--tabs-reach` say how far the tabs reach up, their lifted button included, in pixels; absent where none are drawn. */
function measureTabs(): (() => void) | undefined {
  const tabs = document.querySelector<HTMLElement>('.tabbar');
  if (!tabs) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    const { bottom, height } = tabs.getBoundingClientRect();
    const tops = [tabs, ...tabs.querySelectorAll('.tabbar__add > span')].map(
      (part) => part.getBoundingClientRect().top,
    );
    if (height > 0) style.setProperty('--tabs-reach', `${Math.ceil(bottom - Math.min(...tops))}px`);
    else style.removeProperty('--tabs-reach');
  });
  observer.observe(tabs, { box: 'border-box' });
  return () => observer.disconnect();
}

/** Has `--foot-h` say how high the bar of a form's buttons is, in pixels; absent where none is drawn under the thumb. */
function measureFoot(): void {
  const { style } = document.documentElement;
  const foot = [...document.querySelectorAll<HTMLElement>('.wizard-bar, .addjob__foot')].find(
    (bar) => bar.offsetHeight > 0 && getComputedStyle(bar).position === 'fixed',
  );
  if (foot) style.setProperty('--foot-h', `${foot.offsetHeight}px`);
  else style.removeProperty('--foot-h');
}

export type ToastId = string | number;
export type ToastKind = 'blank' | 'success' | 'error' | 'info' | 'warning' | 'loading';

export type ToastContent = {
  kind: ToastKind;
  message: string;
  title?: string | undefined;
  /** What the message is about, in a second line. */
  detail?: string | undefined;
  icon?: IconName | undefined;
  undo?: (() => unknown) | undefined;
};

export type NewToast = ToastContent & {
  id: ToastId;
  /** False where it replaces the toast of its id. */
  isNew: boolean;
  /** What the toast is about: a newer one about the same takes its place. */
  slot?: string | undefined;
};

/** What shows toasts. */
export type ToastList = Readonly<{ show(toast: NewToast): void; dismiss(id: ToastId): void }>;

const signs: Partial<Record<ToastKind, IconName>> = {
  success: 'circle-check-big',
  error: 'circle-alert',
  info: 'info',
  warning: 'triangle-alert',
};

/** One toast: its sign, a title or a detail beside the message, Undo where it can be undone, and a way to close it. */
function ToastCard(props: ToastContent & { dismiss: () => void }) {
  const { kind, undo, dismiss } = props;
  useLayoutEffect(measureFoot, []);
  const [first, second] = props.title ? [props.title, props.message] : [props.message, props.detail];
  const sign = props.icon ?? signs[kind];
  return (
    <div className={`toast toast--${kind}`}>
      {kind === 'loading' ? <span className="ring" /> : sign && <Icon name={sign} />}
      <div className="toast__text" role="status">
        {second ? (
          <>
            <strong>{first}</strong>
            <span>{second}</span>
          </>
        ) : (
          first
        )}
      </div>
      {undo && (
        <button className="toast__undo" type="button" onClick={() => void undo()}>
          Undo
        </button>
      )}
      {kind !== 'loading' && (
        <button className="toast__close" type="button" aria-label="Dismiss" onClick={dismiss}>
          <Icon name="x" />
        </button>
      )}
    </div>
  );
}

/** The toast that shows in each slot, and how to take back what a toast is about. */
const inSlot = new Map<string, ToastId>();
const undos = new Map<ToastId, () => unknown>();

/** The toasts that sonner shows. */
export const shownToasts: ToastList & Readonly<{ undoNewest(): boolean }> = {
  show({ kind, message, id, isNew, slot, undo, ...rest }) {
    if (isNew) makeRoom();
    // Sonner goes on counting down where an id is shown again, and drops it where it is just going: a slot takes a new id.
    if (slot !== undefined) dismissSlot(slot);
    const props = { kind, message, ...rest, ...(undo && { undo: () => undoOnce(id) }) };
    sonner.custom(() => <ToastCard {...props} dismiss={() => sonner.dismiss(id)} />, {
      ...{ id, duration: durationOf(kind, { undo }) },
      onDismiss: ({ id: gone }) => undos.delete(gone),
      onAutoClose: ({ id: gone }) => undos.delete(gone),
    });
    undos.delete(id);
    if (undo) undos.set(id, undo);
    if (slot !== undefined) inSlot.set(slot, id);
  },
  dismiss: (id) => void sonner.dismiss(id),
  /** Takes back what the newest toast with Undo is about; false where none shows. */
  undoNewest() {
    const newest = [...undos.keys()].at(-1);
    if (newest === undefined) return false;
    undoOnce(newest);
    return true;
  },
};

function dismissSlot(slot: string): void {
  const before = inSlot.get(slot);
  if (before === undefined) return;
  undos.delete(before);
  sonner.dismiss(before);
}

function undoOnce(id: ToastId): void {
  const undo = undos.get(id);
  undos.delete(id);
  sonner.dismiss(id);
  void undo?.();
}

/** How long a toast stays, in milliseconds. It waits longer while hovered or focused. */
export function durationOf(kind: ToastKind, options: Pick<NewToast, 'undo'>): number {
  if (kind === 'loading') return Number.POSITIVE_INFINITY;
  return options.undo ? toastDurationWithUndo : toastDuration;
}

/** The oldest go, so that one more fits. Sonner lists them oldest first. */
function makeRoom(): void {
  for (const old of sonner.getToasts().slice(0, 1 - mostToasts)) sonner.dismiss(old.id);
}
