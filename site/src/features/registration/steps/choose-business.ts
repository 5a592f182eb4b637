import { atom, type ReadableAtom } from 'nanostores';
import type { Region } from '#core/values/region.ts';
import { defaultLocation } from '#core/values/registration-steps.ts';
import type { Registration } from '#site/features/registration/registration.ts';
import { fetchPostcode } from '#site/features/registration/registration-api.ts';
import { $registration, changeRegistration } from '#site/features/registration/registration-store.ts';
import { type FoundBusiness, fetchBusiness } from '#site/ui/business-number/businesses-api.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { tradingNameOf } from './trading-name.ts';

const isLooking = atom(false);
/** Whether the register's entry of the chosen business is being fetched. */
export const $isLookingUp: ReadableAtom<boolean> = isLooking;

const lookupFailure = "We couldn't find address for this company";

/** Why a business cannot be registered with, or null where it can. */
export type Refusal = string | null;

/**
 * Looks a business up and fills in what the register has: the business, its trading name or one made of its own, the
 * names of its owner where there are some, and the area around its postcode. Gives why it cannot be chosen, if so.
 */
export async function chooseBusiness({ bn }: FoundBusiness, region: Region): Promise<Refusal> {
  isLooking.set(true);
  try {
    const found = await fetchBusiness(bn, region);
    if (!found.registered) return `This business is no longer registered (${found.status})`;
    const current = $registration.get();
    if (current) changeRegistration(filledIn(current, found));
    if (found.postcode) void moveTo(found.postcode, region);
    else toast.info(lookupFailure, { id: 'business-lookup' });
    return null;
  } catch {
    showFailure();
    return lookupFailure;
  } finally {
    isLooking.set(false);
  }
}

/** What was chosen is not any more. */
export function clearBusiness(): void {
  changeRegistration({ entity: null });
}

/** What a business of the register changes in the draft. */
export function filledIn(
  { user }: Registration,
  found: FoundBusiness,
): Pick<Registration, 'entity' | 'user'> {
  const { bn, name, postcode, status } = found;
  return {
    entity: { bn, name, postcode, status, tradingName: found.tradingName ?? tradingNameOf(name) },
    user: {
      firstName: found.firstName ?? user.firstName,
      lastName: found.lastName ?? user.lastName,
    },
  };
}

/** The area begins around the business's postcode, as wide as it was. */
async function moveTo(postcode: string, region: Region): Promise<void> {
  try {
    const { lat, lng } = await fetchPostcode(postcode, region);
    toast.dismiss('business-lookup');
    const current = $registration.get();
    if (current?.entity?.postcode !== postcode) return;
    changeRegistration({ location: { ...current.location, lat, lng, zoom: defaultLocation.zoom } });
  } catch {
    showFailure();
  }
}

function showFailure(): void {
  toast.error(lookupFailure, { title: 'Error', id: 'business-lookup' });
}
