import { watchForFaults } from '#site/lib/fallback.ts';
import { followAddress } from './wizard-moves.ts';
import { openRegistration } from './wizard-store.ts';

// Before the island is there: the bot check's work runs while the rest of the page loads.
watchForFaults();
addEventListener('popstate', () => void followAddress());
void openRegistration();
