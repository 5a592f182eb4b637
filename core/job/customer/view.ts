import { type ErasedEntries, type Evolve, type History, plainEntry, unchanged } from '#core/job/part.ts';
import type { RequestDetails } from '#core/job/request/view.ts';
import { ERASED } from '#core/values/stored-details.ts';
import type { CustomerState, customerEvents } from './events.ts';
import type { CustomerEntries } from './words.ts';

/** `noLongerNeededAt`: when the customer said that it need not be done any more; null while it is needed. */
export type CustomerDetails = Readonly<{ noLongerNeededAt: string | null }>;

type Details = CustomerDetails & Pick<RequestDetails, 'name' | 'email' | 'phone' | 'location'>;

export const customerView = {
  begins: (): CustomerDetails => ({ noLongerNeededAt: null }),
  evolve: {
    CustomerMessageOpened: unchanged,
    JobNoLongerNeeded: ({ saidAt }) => ({ noLongerNeededAt: saidAt }),
    CustomerCorrectionAsked: unchanged,
    CustomerCorrectionAnswered: unchanged,
    CustomerDetailsCorrected: ({ name, email, phone, location }) => ({ name, email, phone, location }),
  } satisfies Evolve<typeof customerEvents, Details>,
  erased: {},
  card: ({ noLongerNeededAt }: CustomerDetails): CustomerDetails => ({ noLongerNeededAt }),
  page: unchanged,
};

export const customerEntries = {
  CustomerMessageOpened: ({ kind }) => [{ what: 'message', from: null, to: kind }],
  JobNoLongerNeeded: plainEntry('not-needed'),
  CustomerCorrectionAsked: ({ text }) => [{ what: 'correction-asked', from: null, to: text }],
  CustomerCorrectionAnswered({ asked, answer }, { corrections }) {
    const to = corrections.find(({ revision }) => revision === asked)?.text ?? '';
    return [{ what: `correction-${answer}`, from: null, to }];
  },
  CustomerDetailsCorrected: plainEntry('details-corrected'),
} satisfies History<typeof customerEvents, Pick<CustomerState, 'corrections'>, CustomerEntries>;

export const erasedCorrections = {
  'correction-asked': { to: ERASED },
  'correction-agreed': { to: ERASED },
  'correction-refused': { to: ERASED },
} satisfies ErasedEntries<CustomerEntries>;
