import type { JobView } from '#core/job/view.ts';
import { mailLink } from '#core/values/contact.ts';
import { type ConsumerField, waysToReach } from '#core/values/job-form.ts';
import { product } from '#core/values/product.ts';
import { moneyText, type Region } from '#core/values/region.ts';
import { unsentWords } from '#core/values/uploads.ts';

const labels: Record<ConsumerField, string> = {
  budget: 'Budget',
  referral: 'Found you on',
  serviceFrequency: 'How often',
  parking: 'Parking',
  pets: 'Pets',
  allergies: 'Allergies',
  homeType: 'Home type',
  storeys: 'Storeys',
  bedrooms: 'Bedrooms',
  livingRooms: 'Living rooms',
  bathrooms: 'Bathrooms',
};

export const wishedTimeLabel = 'Wished time';

/** `href` where the text leads somewhere. */
export type Detail = Readonly<{ label: string; text: string; href?: string }>;

type Consumer = Pick<JobView, 'consumerJobDetails'>;

/** The customer's own words; empty where there are none. */
export function messageOf({ consumerJobDetails }: Consumer): string {
  return consumerJobDetails?.description ?? '';
}

/** When the customer would like the job done, in their own words; empty where that is unknown. */
export function wishedTimeOf({ consumerJobDetails }: Consumer): string {
  return consumerJobDetails?.wishedTime ?? '';
}

/** What the customer is called in a sentence. */
export function firstNameOf({ name }: Pick<JobView, 'name'>): string {
  return name.trim().split(/\s+/)[0] ?? name;
}

/**
 * What the customer answered beside their message: the known details, then other answers as asked. A budget that is a plain
 * number reads in the currency of the business's `region`.
 */
export function consumerDetails(
  { consumerJobDetails, form }: Pick<JobView, 'consumerJobDetails' | 'form'>,
  region: Region | null,
): Detail[] {
  if (!consumerJobDetails) return [];
  const { description: _, wishedTime, reachBy, unsentFiles, ...answers } = consumerJobDetails;
  const known = { ...answers, budget: moneyText(answers.budget ?? '', region) };
  const details: Detail[] = [
    { label: wishedTimeLabel, text: wishedTime },
    { label: 'Best reached by', text: reachBy ? waysToReach[reachBy] : '' },
    {
      label: 'Not here',
      text: unsentFiles ? `${unsentWords(unsentFiles)}: ask for ${unsentFiles === 1 ? 'it' : 'them'}` : '',
    },
    ...Object.entries(labels).map(([field, label]) => ({ label, text: known[field as ConsumerField] ?? '' })),
    ...form
      .filter(({ field }) => field === null)
      .map(({ question, answer }) => ({ label: question, text: answer })),
  ];
  return details.filter(({ text }) => text !== '');
}

/** What a work order holds, and whom to ring about it. */
export function workOrderDetails({ workOrderDetails: order }: Pick<JobView, 'workOrderDetails'>): Detail[] {
  if (!order) return [];
  const details: Detail[] = [
    { label: 'Description', text: order.description },
    ...(order.contact
      ? [
          {
            label: `${product.name} phone`,
            text: order.contact.phone,
            href: `tel:${order.contact.phone.replace(/[^\d+]/g, '')}`,
          },
          {
            label: `${product.name} email`,
            text: order.contact.email,
            href: mailLink(order.contact.email),
          },
        ]
      : []),
  ];
  return details.filter(({ text }) => text !== '');
}
