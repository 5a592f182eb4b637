import { carryToast } from '#site/ui/toast/carried-toast.ts';
import { toast } from '#site/ui/toast/toast.ts';
import type { Created } from './create-job.ts';
import { hintsInWords } from './hint-lines.ts';
import { $jobHints, hasHints } from './job-hints-store.ts';

const createdMessage = 'Job created successfully';

/** Shows that the job is made, on this page or on the next. Hints that came too late for the form are shown now. */
export function announceJob({ hints }: Created, timeZone: string, where: 'here' | 'next page'): void {
  const show =
    where === 'here' ? (kind: 'success' | 'warning', text: string) => toast[kind](text) : carryToast;
  show('success', createdMessage);
  if (hasHints(hints) && !hasHints($jobHints.get()))
    show('warning', hintsInWords(hints, timeZone, new Date()));
}
