export type Section = 'jobs' | 'profile';

/** The two entries of the menu and of the phone's tabs. */
export const sections = [
  { name: 'jobs', label: 'Jobs', href: '/', icon: 'clipboard-list' },
  { name: 'profile', label: 'Profile', href: '/profile', icon: 'user-round' },
] as const;

/** Jobs for `/` and any path below `/jobs`, Profile for any path below `/profile`, else none. */
export function activeSection(path: string): Section | null {
  if (path === '/' || path === '/index.html' || isBelow(path, '/jobs')) return 'jobs';
  return isBelow(path, '/profile') ? 'profile' : null;
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`) || path === `${root}.html`;
}

/** Where the mascot stands in for the avatar. */
export function isChatbot(path: string): boolean {
  return isBelow(path, '/chatbot');
}
