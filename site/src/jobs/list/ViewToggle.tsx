import { useStore } from '@nanostores/react';
import type { ListView } from '#core/job/lists.ts';
import { Icon } from '#site/ui/Icon.tsx';
import {
  $listAppearances,
  appearanceOf,
  chooseAppearance,
  usualAppearances,
} from './list-appearance-store.ts';

const appearances = [
  { appearance: 'cards', label: 'Cards', icon: 'layout-grid' },
  { appearance: 'rows', label: 'List', icon: 'list' },
] as const;

/** Cards or compact rows; stored on this device. */
export function ViewToggle({ view }: { view: ListView }) {
  const chosen = appearanceOf(view, useStore($listAppearances, { ssr: () => usualAppearances }));
  return (
    <div className="seg" role="group" aria-label="View">
      {appearances.map(({ appearance, label, icon }) => (
        <button
          key={appearance}
          type="button"
          aria-label={label}
          aria-pressed={appearance === chosen}
          onClick={() => chooseAppearance(view, appearance)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
