import { createElement } from 'react';
import { toast as sonner } from 'sonner';
import { ToastCard, type ToastContent, type ToastKind } from '#site/ui/toast/ToastCard.tsx';
import { mostToasts, toastDuration, toastDurationWithUndo } from './toast-limits.ts';

type ToastId = string | number;

export type ToastOptions = Pick<ToastContent, 'title' | 'detail' | 'icon' | 'undo'> & {
  /** Replaces the toast of this id, as a loading one by its outcome. */
  id?: ToastId;
  /** What the toast is about: a newer one about the same takes its place, with a time of its own. */
  slot?: string;
};

/** A short message over the page, read out politely. Each gives its id. */
export const toast = {
  blank: show('blank'),
  success: show('success'),
  error: show('error'),
  info: show('info'),
  warning: show('warning'),
  /** Stays until it is replaced by its outcome or dismissed. */
  loading: show('loading'),
  dismiss: (id: ToastId) => void sonner.dismiss(id),
  /** Takes back what the newest toast with Undo is about; false where none shows. */
  undoNewest,
};

/** The toast that shows in each slot, and how to take back what a toast is about. */
const inSlot = new Map<string, ToastId>();
const undos = new Map<ToastId, () => unknown>();

function show(kind: ToastKind) {
  return (message: string, options: ToastOptions = {}): ToastId => {
    const { id, slot, undo, ...rest } = options;
    if (id === undefined) makeRoom();
    // Sonner goes on counting down where an id is shown again, and drops it where it is just going: a slot takes a new id.
    if (slot !== undefined) dismissSlot(slot);
    const card = (shown: ToastId) =>
      createElement(ToastCard, {
        ...{ kind, message, ...rest },
        ...(undo && { undo: () => undoOnce(shown) }),
        dismiss: () => sonner.dismiss(shown),
      });
    const shown = sonner.custom(card, {
      duration: durationOf(kind, options),
      ...(id === undefined ? {} : { id }),
      onDismiss: ({ id: gone }) => undos.delete(gone),
      onAutoClose: ({ id: gone }) => undos.delete(gone),
    });
    undos.delete(shown);
    if (undo) undos.set(shown, undo);
    if (slot !== undefined) inSlot.set(slot, shown);
    return shown;
  };
}

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

function undoNewest(): boolean {
  const newest = [...undos.keys()].at(-1);
  if (newest === undefined) return false;
  undoOnce(newest);
  return true;
}

/** How long a toast stays, in milliseconds. It waits longer while hovered or focused. */
export function durationOf(kind: ToastKind, options: Pick<ToastOptions, 'undo'>): number {
  if (kind === 'loading') return Number.POSITIVE_INFINITY;
  return options.undo ? toastDurationWithUndo : toastDuration;
}

/** The oldest go, so that one more fits. Sonner lists them oldest first. */
function makeRoom(): void {
  for (const old of sonner.getToasts().slice(0, 1 - mostToasts)) sonner.dismiss(old.id);
}
