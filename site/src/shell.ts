import '#site/components/layout/avatar.ts';
import { watchForFaults } from '#site/lib/fallback.ts';
import { completeSession } from '#site/lib/profile.ts';
import { keepPagesForDeadSpots } from '#site/offline/register.ts';

// Once on every signed-in page, before its islands.
watchForFaults();
void completeSession();
keepPagesForDeadSpots();
