import type { Deps } from '#api/deps.ts';
import { businessOfEndedLink, type CustomerLinkKind } from '#api/intake/answer-links.ts';
import { getBusiness, type PublishedBusiness } from '#projections/public-form/read.ts';

/** What the page of a customer's link shows after the link has ended: whose it was, by what that business publishes, and nothing of the job. */
export type EndedLink = PublishedBusiness;

/** Null for a token that never was a link, and for one of a business that is closed: both look the same. Changes nothing. */
export async function readEndedLink(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  kind: CustomerLinkKind,
  token: string,
): Promise<EndedLink | null> {
  const businessId = await businessOfEndedLink(db, kind, token, now());
  return businessId === null ? null : getBusiness(db, businessId);
}
