import { type Drafts, draftsOf } from '#site/lib/offline/drafts.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { isText } from '#site/lib/shape.ts';

/** What was typed as the new email or phone and not sent yet. The password beside it is never stored. */
export function contactDraft(what: 'email' | 'phone'): Drafts<string> {
  return draftsOf(`new-${what}`, accountOf($session.get()?.token ?? ''), isText);
}
