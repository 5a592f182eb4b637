import type { IconName } from './icons.ts';

/** Draws a symbol of the page's `Sprite`. Decorative: the words beside it carry the meaning. */
export function Icon({ name, className = '' }: { name: IconName | 'ute'; className?: string }) {
  const classes = ['icon', name === 'ute' && 'icon--ute', className].filter(Boolean).join(' ');
  return (
    <svg className={classes} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
