import { takeCarriedToasts } from './carried-toast.ts';
import { partOf } from './part-of.ts';
import { mostToasts, toastDuration } from './toast-limits.ts';

export type PlainToast = Readonly<{ kind: 'success' | 'warning' | 'error'; message: string; title?: string }>;

/** A toast on a page without React, in the region of `PlainToasts.astro`. It stays while it is hovered or focused. Gives
 * the way to take it away. */
export function showToast({ kind, message, title = '' }: PlainToast): () => void {
  const region = partOf(document, '[data-toasts]', HTMLElement);
  const { content } = partOf(document, 'template#toast', HTMLTemplateElement);
  const card = partOf(content.cloneNode(true) as DocumentFragment, '.toast', HTMLElement);
  card.classList.add(`toast--${kind}`);
  for (const sign of card.querySelectorAll<SVGElement>('[data-sign]')) {
    if (sign.dataset.sign !== kind) sign.remove();
  }
  const heading = partOf(card, '[data-title]', HTMLElement);
  if (title) heading.textContent = title;
  else heading.remove();
  partOf(card, '[data-message]', HTMLElement).textContent = message;
  partOf(card, 'button', HTMLButtonElement).addEventListener('click', () => card.remove());
  while (region.childElementCount >= mostToasts) region.firstElementChild?.remove();
  region.append(card);
  goInTime(card);
  return () => card.remove();
}

/** Shows what the page before has left. */
export function showCarriedToasts(): void {
  for (const toast of takeCarriedToasts()) showToast(toast);
}

function goInTime(card: HTMLElement): void {
  let timer = setTimeout(() => card.remove(), toastDuration);
  for (const event of ['pointerenter', 'focusin']) card.addEventListener(event, () => clearTimeout(timer));
  for (const event of ['pointerleave', 'focusout']) {
    card.addEventListener(event, () => {
      clearTimeout(timer);
      timer = setTimeout(() => card.remove(), toastDuration);
    });
  }
}
