import '#site/layouts/avatar.ts';
import { watchForFaults } from '#site/lib/fallback.ts';
import { cachePagesForDeadSpots } from '#site/lib/offline/register.ts';
import { completeSession } from '#site/lib/profile.ts';

// Once on every signed-in page, before its islands.
watchForFaults();
void completeSession();
cachePagesForDeadSpots();
