import type { SessionUser } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';

// The page is prerendered without any user's data, so initials and logo come from this browser's session.
$session.subscribe((session) => {
  const user = session?.user;
  if (!user) return;
  for (const avatar of document.querySelectorAll('[data-avatar]')) {
    avatar.textContent = user.initials;
    avatar.setAttribute('aria-label', `${user.initials}, log out`);
  }
  for (const place of document.querySelectorAll<HTMLElement>('[data-business-logo]')) showLogo(place, user);
});

function showLogo(place: HTMLElement, { logo }: SessionUser): void {
  place.hidden = !logo;
  if (!logo) {
    place.replaceChildren();
    return;
  }
  const image = place.querySelector('img') ?? document.createElement('img');
  image.alt = '';
  image.src = logo;
  place.replaceChildren(image);
}
