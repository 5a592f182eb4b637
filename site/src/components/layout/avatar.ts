import { $session } from '#site/lib/session-store.ts';

// The page is prerendered without anybody's data, so the initials come from this browser's session.
$session.subscribe((session) => {
  const initials = session?.user?.initials;
  if (!initials) return;
  for (const avatar of document.querySelectorAll('[data-avatar]')) {
    avatar.textContent = initials;
    avatar.setAttribute('aria-label', `${initials}, log out`);
  }
});
