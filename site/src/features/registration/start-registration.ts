import { watchForFaults } from '#site/lib/fallback.ts';
import { followAddress } from './wizard/wizard-moves.ts';
import { openRegistration } from './wizard/wizard-store.ts';

watchForFaults();
addEventListener('popstate', () => void followAddress());
void openRegistration();
