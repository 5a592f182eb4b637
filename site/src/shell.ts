import '#site/layouts/avatar.ts';
import { watchForFaults } from '#site/lib/fallback.ts';
import { mayHavePhotos } from '#site/lib/offline/photos-waiting.ts';
import { cachePagesForDeadSpots } from '#site/lib/offline/register.ts';
import { completeSession } from '#site/lib/profile.ts';
import { awaitToasts } from '#site/ui/toast/toast.ts';

// Once on every signed-in page, before its islands.
watchForFaults();
awaitToasts();
void completeSession();
cachePagesForDeadSpots();
// Photos of an earlier page go up from whatever page is open.
if (mayHavePhotos()) {
  void import('#site/jobs/photos/photo-queue.ts').then(({ photoQueue }) => photoQueue.start());
}
