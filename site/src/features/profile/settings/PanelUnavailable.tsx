import { LoadFailure } from '#site/ui/PanelStates.tsx';

/** In place of a panel whose code did not arrive. The address names the panel, so a reload opens it again. */
export function PanelUnavailable() {
  return (
    <div className="panel__body">
      <LoadFailure
        message="This could not be loaded. Please check your connection."
        onAgain={() => location.reload()}
      />
    </div>
  );
}
