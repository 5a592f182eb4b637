import type { Deps } from '#api/deps.ts';
import type { JobFacts } from '#core/job/view.ts';
import { isEmail } from '#core/values/email.ts';
import { jobReference } from '#core/values/job-reference.ts';
import { formatPhone } from '#core/values/phone.ts';
import { getBusiness } from '#projections/public-form/read.ts';

/** Whom a customer's mail goes to and about whom. Holds nothing that the sender of the form typed but the address. */
export type Customer = Readonly<{
  email: string;
  business: string;
  /** How to reach the business, as a sentence; none where it publishes no number. */
  contact: readonly string[];
  reference: string;
  why: string;
}>;

/** The customer of a request; null where no email was left. Throws when the read model has not met the business yet. */
export async function customerOf({ db }: Pick<Deps, 'db'>, facts: JobFacts): Promise<Customer | null> {
  if (facts.type !== 'Consumer' || !isEmail(facts.email)) return null;
  const found = await getBusiness(db, facts.businessId);
  if (!found) throw new Error('the business has not come by yet');
  const { name: business, phone } = found;
  return {
    ...{ email: facts.email, business, reference: jobReference(facts.id) },
    contact: phone === null ? [] : [`To reach ${business}, call ${formatPhone(phone)}.`],
    why: `You get this because this address was given in the job request form of ${business}. If that was not you, there is nothing to do.`,
  };
}
