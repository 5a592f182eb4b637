import { atom, onMount, type ReadableAtom } from 'nanostores';
import { type ComponentType, lazy } from 'react';
import type { IconName } from '#site/ui/icons.ts';
import { LoadFailure } from '#site/ui/PanelStates.tsx';

/** What the host gives to what it shows. */
export type PanelProps = Readonly<{ close(): void }>;

/**
 * One entry of the settings page and the panel behind it, at `/profile?panel={id}`.
 * `Content` is loaded when the panel first opens. It brings its own `.panel__body`, and a `.panel__foot` where it has
 * one; heading, dialog and closing are the host's.
 */
export type SettingsPanel = Readonly<{
  id: string;
  /** The entry's name and the text below it. */
  name: string;
  note: string;
  icon: IconName;
  /** The panel's heading. */
  title: string;
  Content: ComponentType<PanelProps>;
}>;

/** The panels that the settings page has entries for, in their order. */
export const settingsPanels: readonly SettingsPanel[] = [
  {
    id: 'business-details',
    name: 'Business details',
    note: 'Name, number and about',
    icon: 'building-2',
    title: 'Business details',
    Content: content(async () => {
      const { BusinessDetails } = await import('./BusinessDetails.tsx');
      return BusinessDetails;
    }),
  },
  {
    id: 'enquiry-form',
    name: 'Enquiry form',
    note: 'Questions customers answer',
    icon: 'clipboard-list',
    title: 'Enquiry form',
    Content: content(async () => {
      const { EnquiryFormEditor } = await import('#site/features/profile/enquiry-form/EnquiryForm.tsx');
      return EnquiryFormEditor;
    }),
  },
  {
    id: 'notifications',
    name: 'Notifications',
    note: 'Email, SMS and newsletter',
    icon: 'bell',
    title: 'Notifications',
    Content: content(async () => {
      const { NotificationSettings } = await import('./NotificationSettings.tsx');
      return NotificationSettings;
    }),
  },
  {
    id: 'security',
    name: 'Security',
    note: 'Security settings',
    icon: 'shield',
    title: 'Security settings',
    Content: content(async () => {
      const { SecuritySettings } = await import('#site/features/profile/security/SecuritySettings.tsx');
      return SecuritySettings;
    }),
  },
  {
    id: 'proof',
    name: 'Records for disputes',
    note: 'Show what happened on a job, and when',
    icon: 'file-check',
    title: 'Records for disputes',
    Content: content(async () => {
      const { ProofOfRecords } = await import('./ProofOfRecords.tsx');
      return ProofOfRecords;
    }),
  },
];

/** Logo and colour: its entry is in the card of the business. */
export const lookPanel: SettingsPanel = {
  id: 'look',
  name: 'Logo and colour',
  note: 'How your job form looks, and its address',
  icon: 'image',
  title: 'Logo and colour',
  Content: content(async () => {
    const { LookPanel } = await import('./LookPanel.tsx');
    return LookPanel;
  }),
};

/** The panel of an id that may be anything, as it was written into the address, null for an unknown one. */
function settingsPanel(id: string | null): SettingsPanel | null {
  return [...settingsPanels, lookPanel].find((panel) => panel.id === id) ?? null;
}

/** A panel's content, loaded when it is first drawn. A line that drops meanwhile costs the panel, not the page. */
function content(load: () => Promise<ComponentType<PanelProps>>): ComponentType<PanelProps> {
  return lazy(async () => ({ default: await load().catch(() => PanelUnavailable) }));
}

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

/** In place of a panel whose code did not arrive. The address names the panel, so a reload opens it again. */
function PanelUnavailable() {
  return (
    <div className="panel__body">
      <LoadFailure
        message="This could not be loaded. Please check your connection."
        onAgain={() => location.reload()}
      />
    </div>
  );
}
