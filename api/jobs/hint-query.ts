import { isEmail, normaliseEmail } from '#core/values/email.ts';
import { parsePhone } from '#core/values/phone.ts';
import { singleLine } from '#core/values/text.ts';
import type { HintQuery } from '#projections/jobs/hints.ts';
import { isInstant, storedInstant } from './instant.ts';

/** What GET /jobs/hints was asked for. A value that is not whole yet, as somebody types it, is not compared. */
export function readHintQuery(
  query: Readonly<Record<string, string | undefined>>,
): Omit<HintQuery, 'businessId' | 'now'> {
  const { scheduledAt = '', phone = '', email = '', address = '', except } = query;
  const mail = normaliseEmail(email);
  return {
    except,
    scheduledAt: isInstant(scheduledAt) ? storedInstant(scheduledAt) : null,
    phone: parsePhone(phone) ?? undefined,
    email: isEmail(mail) ? mail : undefined,
    address: singleLine(address.slice(0, 300)),
  };
}
