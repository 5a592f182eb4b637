import { toast as sonner } from 'sonner';
import { Icon } from '#site/ui/Icon.tsx';
import type { IconName } from '#site/ui/icons.ts';
import { mostToasts, toastDuration, toastDurationWithUndo } from './carried-toast.ts';

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
  const [first, second] = props.title ? [props.title, props.message] : [props.message, props.detail];
  const sign = props.icon ?? signs[kind];
  return (
    <div className={`toast toast--${kind}`}>
      {kind === 'loading' ? <span className="ring" /> : sign && <Icon name={sign} />}
      <div className="toast__text" role="status">
        {second ? <strong>{first}</strong> : first}
        {second && <span>{second}</span>}
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
