import { atom, onMount, type ReadableAtom } from 'nanostores';
import { type SettingsPanel, settingsPanel } from './settings-panels.ts';

const parameter = 'panel';

const panel = atom<SettingsPanel | null>(null);

/** The panel that is open over the settings page, by the address. */
export const $openPanel: ReadableAtom<SettingsPanel | null> = panel;

onMount(panel, () => {
  const read = () => panel.set(settingsPanel(new URL(location.href).searchParams.get(parameter)));
  read();
  addEventListener('popstate', read);
  return () => removeEventListener('popstate', read);
});

/** The address of the settings page with a panel open, for links. */
export function panelPath(id: string): string {
  return `/profile?${parameter}=${id}`;
}

/** Opens a panel, with an entry of its own in the history: Back closes it. */
export function openPanel(id: string): void {
  history.pushState({ openedPanel: id }, '', panelPath(id));
  panel.set(settingsPanel(id));
}

/** Closes the panel. Back does not open it again. */
export function closePanel(): void {
  if (!panel.get()) return;
  panel.set(null);
  if (history.state?.openedPanel) history.back();
  else {
    const url = new URL(location.href);
    url.searchParams.delete(parameter);
    history.replaceState(history.state, '', url);
  }
}
