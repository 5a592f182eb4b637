import { type Drafts, draftsOf } from '#site/lib/offline/drafts.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { isRecord, isText } from '#site/lib/shape.ts';
import type { DetailsForm } from './details-form.ts';

const isDetails = isRecord<DetailsForm>({
  ...{ bn: isText, tradingName: isText, firstName: isText, lastName: isText, intro: isText },
});

/** What was changed of the details and not saved yet: it outlives the panel, a reload and a lost session. */
export function detailsDraft(): Drafts<DetailsForm> {
  return draftsOf('business-details', accountOf($session.get()?.token ?? ''), isDetails);
}
