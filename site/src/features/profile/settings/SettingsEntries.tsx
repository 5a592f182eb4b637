import type { MouseEvent } from 'react';
import { Icon } from '#site/ui/Icon.tsx';
import { openPanel, panelPath } from './open-panel-store.ts';
import { settingsPanels } from './settings-panels.ts';

/** The entries of the settings page, each opening its panel. A link, so that one may be opened in a new tab. */
export function SettingsEntries() {
  return (
    <nav className="rows entries" aria-label="Settings">
      {settingsPanels.map(({ id, name, note, icon }) => (
        <a className="entry" key={id} href={panelPath(id)} onClick={(event) => openOnPress(event, id)}>
          <span className="entry__sign">
            <Icon name={icon} />
          </span>
          <span className="entry__text">
            <strong>{name}</strong>
            <span>{note}</span>
          </span>
          <Icon name="chevron-right" />
        </a>
      ))}
    </nav>
  );
}

/** Opens a panel over the page where its link is pressed plainly. */
export function openOnPress(event: MouseEvent, id: string): void {
  if (!isPlain(event)) return;
  event.preventDefault();
  openPanel(id);
}

function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
