import { isEmail } from '#core/values/contact.ts';
import { type EnvironmentReader, text } from './environment-reader.ts';

/** How tradies reach the product about its work orders, and how the product reaches us to send them. */
export type ProductSettings = Readonly<{
  /** Shown on work orders; null until it is configured. */
  contact: Readonly<{ phone: string; email: string }> | null;
  /** Bearer token of POST /work-orders; without one the route refuses everything. */
  serviceKey?: string;
}>;

/** Invented, for an installation that is only looked at. */
const EXAMPLE = { phone: '1800 975 707', email: 'jobs@ute.example' } as const;

/** Reads `PRODUCT_PHONE` and `PRODUCT_EMAIL`, both or neither, and `SERVICE_KEY`. */
export function readProduct(read: EnvironmentReader, production: boolean): ProductSettings {
  const phone = read.optional('PRODUCT_PHONE', text(/^\+?[\d ()-]{6,24}$/, 'a phone number'));
  const email = read.optional('PRODUCT_EMAIL', (raw) => {
    if (!isEmail(raw)) throw new RangeError('an email address');
    return raw;
  });
  const given = [read.raw('PRODUCT_PHONE'), read.raw('PRODUCT_EMAIL')].filter((raw) => raw !== undefined);
  if (given.length === 1) read.problem('PRODUCT_PHONE', 'and PRODUCT_EMAIL go together');
  const serviceKey = read.optional('SERVICE_KEY', text(/^\S{24,200}$/, 'at least 24 characters'));
  return {
    contact: phone && email ? { phone, email } : production ? null : EXAMPLE,
    ...(serviceKey === undefined ? {} : { serviceKey }),
  };
}

/** Reads `SALES_EMAIL`, who answers requests for a demo: without it the product's own address, null where that is unknown too. */
export function readSalesEmail(read: EnvironmentReader, { contact }: ProductSettings): string | null {
  const email = read.optional('SALES_EMAIL', (raw) => {
    if (!isEmail(raw)) throw new RangeError('an email address');
    return raw;
  });
  return email ?? contact?.email ?? null;
}
