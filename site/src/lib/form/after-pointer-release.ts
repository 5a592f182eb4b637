let isPressed = false;

if (typeof document !== 'undefined') {
  document.addEventListener('pointerdown', () => (isPressed = true), { capture: true });
  for (const end of ['pointerup', 'pointercancel']) {
    document.addEventListener(end, () => (isPressed = false), { capture: true });
  }
}

/**
 * Runs what may move the page once the press that goes on is over, else in a moment. Leaving a field by pressing a
 * button must not move that button away before the press is a click.
 */
export function afterPointerRelease(work: () => void): void {
  if (!isPressed) setTimeout(work);
  else document.addEventListener('pointerup', () => setTimeout(work), { once: true });
}
