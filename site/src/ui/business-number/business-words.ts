import { businessNumberLabels, isBusinessNumber } from '#core/values/business.ts';
import type { Region } from '#core/values/region.ts';
import type { Businesses } from './business-search.ts';

/** What the field is called and what stands in it while it is empty. */
export function businessFieldWords(region: Region): Readonly<{ label: string; placeholder: string }> {
  const label = `${businessNumberLabels[region]} number`;
  return { label, placeholder: `Enter ${label} or name` };
}

/** A number as people read it: `51 824 753 556` for an ABN, an NZBN in one piece. */
export function formatBusinessNumber(bn: string): string {
  return isBusinessNumber(bn, 'au') ? bn.replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4') : bn;
}

/** Whether the register answered, and has no such business. */
export function isNothingFound(businesses: Businesses | null): boolean {
  return businesses !== null && !businesses.hasFailed && businesses.found.length === 0;
}

type Listed = Readonly<{ businesses: Businesses; isPending: boolean; placeholder: string }>;

/** What stands in the list besides the businesses, and what a screen reader announces of them. */
export function listWords({ businesses, isPending, placeholder }: Listed): { note: string; spoken: string } {
  if (isPending) return { note: 'Please wait...', spoken: 'Please wait...' };
  if (!businesses) return { note: placeholder, spoken: '' };
  if (businesses.hasFailed) {
    const note = 'The register does not answer just now. Please try again in a moment';
    return { note, spoken: note };
  }
  const { length } = businesses.found;
  if (length === 0) return { note: 'No business found', spoken: 'No business found' };
  return { note: '', spoken: length === 1 ? '1 business found' : `${length} businesses found` };
}
