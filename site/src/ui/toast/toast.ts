import { createElement } from 'react';
import { toast as sonner } from 'sonner';
import { ToastCard, type ToastContent, type ToastKind } from '#site/ui/toast/ToastCard.tsx';
import { mostToasts, toastDuration, toastDurationWithUndo } from './toast-limits.ts';

export type ToastOptions = Pick<ToastContent, 'title' | 'icon' | 'undo'> & {
  /** Replaces the toast of this id, as a loading one by its outcome. */
  id?: string | number;
};

/** A short message at the top of the page, read out politely. Each gives its id. */
export const toast = {
  blank: show('blank'),
  success: show('success'),
  error: show('error'),
  info: show('info'),
  warning: show('warning'),
  /** Stays until it is replaced by its outcome or dismissed. */
  loading: show('loading'),
  dismiss: (id: string | number) => void sonner.dismiss(id),
};

function show(kind: ToastKind) {
  return (message: string, options: ToastOptions = {}): string | number => {
    const { id, ...rest } = options;
    if (id === undefined) makeRoom();
    return sonner.custom(
      (shown) => createElement(ToastCard, { kind, message, ...rest, dismiss: () => sonner.dismiss(shown) }),
      { duration: durationOf(kind, options), ...(id === undefined ? {} : { id }) },
    );
  };
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
