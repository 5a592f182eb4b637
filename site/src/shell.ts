import '#site/components/layout/avatar.ts';
import { watchForFaults } from '#site/lib/fallback.ts';
import { completeSession } from '#site/lib/profile.ts';
import { cachePagesForDeadSpots } from '#site/offline/register.ts';

// Once on every signed-in page, before its islands.
watchForFaults();
void completeSession();
cachePagesForDeadSpots();
