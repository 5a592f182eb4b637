import { requiredElement } from '#site/lib/form.ts';
import { mostToasts, takeCarriedToasts, toastDuration } from './carried-toast.ts';

export type PlainToast = Readonly<{ kind: 'success' | 'warning' | 'error'; message: string; title?: string }>;

/** A toast on a page without React, in the region of `PlainToasts.astro`. It stays while it is hovered or focused. Gives
 * the way to take it away. */
export function showToast({ kind, message, title = '' }: PlainToast): () => void {
  const region = requiredElement(document, '[data-toasts]', HTMLElement);
  const { content } = requiredElement(document, 'template#toast', HTMLTemplateElement);
  const card = requiredElement(content.cloneNode(true) as DocumentFragment, '.toast', HTMLElement);
  card.classList.add(`toast--${kind}`);
  for (const sign of card.querySelectorAll<SVGElement>('[data-sign]')) {
    if (sign.dataset.sign !== kind) sign.remove();
  }
  const heading = requiredElement(card, '[data-title]', HTMLElement);
  if (title) heading.textContent = title;
  else heading.remove();
  requiredElement(card, '[data-message]', HTMLElement).textContent = message;
  requiredElement(card, 'button', HTMLButtonElement).addEventListener('click', () => card.remove());
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
