import { useStore } from '@nanostores/react';
import { type MouseEvent, Suspense, useRef } from 'react';
import { Icon } from '#site/ui/Icon.tsx';
import { PartsSkeleton } from '#site/ui/PanelStates.tsx';
import { Sheet } from '#site/ui/Sheet.tsx';
import { $openPanel, closePanel, openPanel, panelPath, settingsPanels } from './settings-panels.tsx';

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

/** The open panel over the settings page, by the address. Once on the page. */
export function SettingsPanelHost() {
  const dialog = useRef<HTMLDialogElement>(null);
  const panel = useStore($openPanel, { ssr: () => null });
  if (!panel) return null;
  const { id, title, Content } = panel;
  return (
    <Sheet key={id} title={title} dialog={dialog} onClose={closePanel}>
      <Suspense
        fallback={
          <div className="panel__body">
            <PartsSkeleton />
          </div>
        }
      >
        <Content close={closePanel} />
      </Suspense>
    </Sheet>
  );
}
