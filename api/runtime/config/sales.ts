import { isEmail } from '#core/values/contact.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import type { ProductSettings } from './product.ts';

/** Reads `SALES_EMAIL`, who answers requests for a demo: without it the product's own address, null where that is unknown too. */
export function readSalesEmail(read: EnvironmentReader, { contact }: ProductSettings): string | null {
  const email = read.optional('SALES_EMAIL', (raw) => {
    if (!isEmail(raw)) throw new RangeError('an email address');
    return raw;
  });
  return email ?? contact?.email ?? null;
}
