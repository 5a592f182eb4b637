import { useStore } from '@nanostores/react';
import type { ListView } from '#core/job/list-views.ts';
import { Icon } from '#site/components/ui/Icon.tsx';
import { $looks, chooseLook, lookOf, usualLooks } from './list-look-store.ts';

const looks = [
  { look: 'cards', label: 'Cards', icon: 'layout-grid' },
  { look: 'rows', label: 'List', icon: 'list' },
] as const;

/** Cards or compact rows; remembered on this device. */
export function ViewToggle({ view }: { view: ListView }) {
  const chosen = lookOf(view, useStore($looks, { ssr: () => usualLooks }));
  return (
    <div className="seg" role="group" aria-label="View">
      {looks.map(({ look, label, icon }) => (
        <button
          key={look}
          type="button"
          aria-label={label}
          aria-pressed={look === chosen}
          onClick={() => chooseLook(view, look)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
