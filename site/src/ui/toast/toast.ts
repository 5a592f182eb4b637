import { keepOnTop } from '../screen-store.ts';
import { takeCarriedToasts, toastDuration } from './carried-toast.ts';
import type { ToastContent, ToastId, ToastKind, ToastList } from './Toasts.tsx';

export type ToastOptions = Pick<ToastContent, 'title' | 'detail' | 'icon' | 'undo'> & {
  /** Replaces the toast of this id, as a loading one by its outcome. */
  id?: ToastId;
  /** What the toast is about: a newer one about the same takes its place, with a time of its own. */
  slot?: string;
};

/**
 * Short messages over the page, read out politely. What shows them is loaded with the first of them, or when the page is first
 * touched, and not before the page is painted; what is said meanwhile is shown in its order.
 */
export function createToast(load: () => Promise<ToastList>) {
  let list: ToastList | null = null;
  let loading: Promise<void> | null = null;
  let made = 0;
  const waiting: ((list: ToastList) => void)[] = [];

  async function show(): Promise<void> {
    // A browser does not ask again for a module that it did not get: without a network the words have to do.
    list = await load().catch(wordsAlone);
    for (const run of waiting.splice(0)) run(list);
  }
  function prepare(): Promise<void> {
    loading ??= show();
    return loading;
  }
  function withList(run: (list: ToastList) => void): void {
    if (list) run(list);
    else {
      waiting.push(run);
      void prepare();
    }
  }
  const say =
    (kind: ToastKind) =>
    (message: string, options: ToastOptions = {}): ToastId => {
      made += 1;
      const id = options.id ?? `toast-${made}`;
      withList((shown) => shown.show({ kind, message, ...options, id, isNew: options.id === undefined }));
      return id;
    };

  return {
    blank: say('blank'),
    success: say('success'),
    error: say('error'),
    info: say('info'),
    warning: say('warning'),
    /** Stays until it is replaced by its outcome or dismissed. */
    loading: say('loading'),
    dismiss(id: ToastId): void {
      if (list || loading) withList((shown) => shown.dismiss(id));
    },
    /** Loads what shows toasts, so that the first of them does not wait. */
    prepare,
  };
}

export const toast = createToast(async () => (await import('./Toasts.tsx')).startToasts());

/** Shows what the page before has left, and gets ready for toasts once the page is touched. */
export function awaitToasts(): void {
  // Now, and not once what shows them is there: by then this page may carry one to the next.
  for (const { kind, message } of takeCarriedToasts()) toast[kind](message);
  for (const event of ['pointerdown', 'keydown'])
    document.addEventListener(event, () => void toast.prepare(), { once: true, capture: true });
}

/** Toasts of words, where what shows them could not be loaded. */
function wordsAlone(): ToastList {
  const region = Object.assign(document.createElement('div'), { className: 'toasts' });
  keepOnTop(region);
  const cards = new Map<ToastId, HTMLElement>();
  const dismiss = (id: ToastId): void => cards.get(id)?.remove();
  return {
    show({ kind, message, title, detail, id }) {
      const card = document.createElement('p');
      card.className = `toast toast--${kind}`;
      card.role = 'status';
      card.append(
        Object.assign(document.createElement('span'), {
          className: 'toast__text',
          textContent: [title, message, detail].filter(Boolean).join(': '),
        }),
      );
      dismiss(id);
      cards.set(id, card);
      region.append(card);
      if (kind !== 'loading') setTimeout(() => card.remove(), toastDuration);
    },
    dismiss,
  };
}
