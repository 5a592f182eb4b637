import { tabValues } from '#site/lib/browser-storage.ts';
import { isListOf, isOneOf, isRecord, isText, readShaped } from '#site/lib/shape.ts';

/** How long a toast stays, in milliseconds; with Undo it stays longer. */
export const toastDuration = 5_000;
export const toastDurationWithUndo = 10_000;

export const mostToasts = 20;

export type CarriedToast = Readonly<{ kind: 'success' | 'warning'; message: string }>;

const key = 'ute.toasts';
const areToasts = isListOf(
  isRecord<CarriedToast>({ kind: isOneOf(['success', 'warning']), message: isText }),
);

/** A toast that shows on the page which comes next in this tab, instead of one that is about to go. */
export function carryToast(kind: CarriedToast['kind'], message: string): void {
  tabValues.setItem(key, JSON.stringify([...carried(), { kind, message }]));
}

/** What the page before has left to show, once. */
export function takeCarriedToasts(): CarriedToast[] {
  const toasts = carried();
  if (toasts.length > 0) tabValues.removeItem(key);
  return toasts;
}

function carried(): CarriedToast[] {
  return [...(readShaped(tabValues.getItem(key), areToasts) ?? [])];
}
