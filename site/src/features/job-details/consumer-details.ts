import type { ConsumerField } from '#core/job/events.ts';
import type { JobView } from '#core/job/view.ts';
import { waysToReach } from '#core/values/job-form.ts';
import { moneyText } from '#core/values/money.ts';
import { product } from '#core/values/product.ts';
import type { Region } from '#core/values/region.ts';

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

/** `href` where the text leads somewhere. */
export type Detail = Readonly<{ label: string; text: string; href?: string }>;

/**
 * What the customer wrote about the job: their own words first, then the known details, then other answers as asked. A budget
 * that is a plain number reads in the currency of the business's `region`.
 */
export function consumerDetails(
  { consumerJobDetails, form }: Pick<JobView, 'consumerJobDetails' | 'form'>,
  region: Region | null,
): Detail[] {
  if (!consumerJobDetails) return [];
  const { description, wishedTime, reachBy, ...answers } = consumerJobDetails;
  const known = { ...answers, budget: moneyText(answers.budget ?? '', region) };
  const details: Detail[] = [
    { label: 'Message', text: description },
    { label: 'Wished time', text: wishedTime },
    { label: 'Best reached by', text: reachBy ? waysToReach[reachBy] : '' },
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
            href: `mailto:${order.contact.email}`,
          },
        ]
      : []),
  ];
  return details.filter(({ text }) => text !== '');
}
