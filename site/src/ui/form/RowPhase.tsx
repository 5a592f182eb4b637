import type { SwitchPhase } from '#site/lib/form/saved-switches.ts';
import { Icon } from '#site/ui/Icon.tsx';

const words = { saving: 'Saving…', saved: 'Saved', 'not-saved': 'Not saved' } as const;

/** What became of the last turn of a row's control: shown, and announced. */
export function RowPhase({ phase }: Readonly<{ phase: SwitchPhase | undefined }>) {
  return (
    <span className="row__phase" data-phase={phase} role="status">
      {phase === 'saved' && <Icon name="check" className="icon--sm" />}
      {phase === 'not-saved' && <Icon name="circle-alert" className="icon--sm" />}
      {phase && words[phase]}
    </span>
  );
}
