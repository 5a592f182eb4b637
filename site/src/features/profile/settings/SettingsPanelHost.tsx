import { useStore } from '@nanostores/react';
import { Suspense, useRef } from 'react';
import { PartsSkeleton } from '#site/ui/PanelStates.tsx';
import { Sheet } from '#site/ui/Sheet.tsx';
import { $openPanel, closePanel } from './open-panel-store.ts';

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
