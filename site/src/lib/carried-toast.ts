import { toast } from './toast.ts';

type Carried = Readonly<{ kind: 'success' | 'warning'; message: string }>;

const key = 'ute.toasts';

/** A toast that shows on the page which comes next in this tab, instead of one that is about to go. */
export function carryToast(kind: Carried['kind'], message: string): void {
  sessionStorage.setItem(key, JSON.stringify([...carried(), { kind, message }]));
}

/** Shows what the page before has left. */
export function showCarriedToasts(): void {
  for (const { kind, message } of carried()) toast[kind](message);
  sessionStorage.removeItem(key);
}

function carried(): Carried[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]');
  } catch {
    return [];
  }
}
