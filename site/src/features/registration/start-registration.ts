import { watchForFaults } from '#site/lib/fallback.ts';
import { awaitToasts } from '#site/ui/toast/toast.ts';
import { followAddress } from './wizard/wizard-moves.ts';
import { openRegistration } from './wizard/wizard-store.ts';

/** Opens the draft of this browser, and follows its steps. */
export function startRegistration(): void {
  watchForFaults();
  awaitToasts();
  addEventListener('popstate', () => void followAddress());
  void openRegistration();
}
