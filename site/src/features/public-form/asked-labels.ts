import { jobRequestLabels } from '#core/values/job-form.ts';

/** What the form calls its own fields, in their order on the page; the questions of the business stand after the address. */
export const askedLabels = {
  title: 'In a few words',
  description: 'Tell us more',
  media: 'Photos',
  wishedTime: 'When suits you?',
  address: 'Job address',
  name: 'Full name',
  phone: 'Phone number',
  email: 'Email address',
  reachBy: jobRequestLabels.reachBy,
} as const;
