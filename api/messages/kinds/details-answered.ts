import { loadBusiness } from '#api/accounts/load-business.ts';
import { storeLink } from '#api/intake/answers/links.ts';
import { customerOf } from '#api/messages/customer.ts';
import { loadMessageJob } from '#api/messages/load-message-job.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { MailKind } from '#api/messages/message-kind.ts';
import { mintedSecret } from '#api/messages/minted-secret.ts';
import { keepReasonWords } from '#core/job/retention.ts';
import { privacyRegulators } from '#core/values/region.ts';
import { dayWords } from '#core/values/time.ts';

/** Tells the customer that the business keeps their details: why, when they go by themselves, and where to complain. */
export const removalRefusedMail: MailKind = {
  kind: 'removal-refused-mail',
  follows: ['CustomerRemovalRefused'],
  channel: 'mail',
  label: 'The email that tells the customer why their details stay',
  async compose(deps, message) {
    const { details, events, businessId } = await loadMessageJob(deps, message);
    const answer = events.find(({ revision }) => revision === message.data['revision'])?.event;
    const isGone = details.erasedAt !== null || details.erasureDueAt !== null;
    if (answer?.type !== 'CustomerRemovalRefused' || isGone) return null;
    const [customer, held] = await Promise.all([
      customerOf(deps, message, details),
      loadBusiness(deps, businessId),
    ]);
    if (!customer || !held) return null;
    const { email, business, contact, reference, why } = customer;
    const token = mintedSecret(deps.config, message, 'your details');
    const target = { kind: 'privacy', jobId: details.id, businessId, accountId: null } as const;
    await storeLink(deps.db, token, target, deps.now());
    const { name, url } = privacyRegulators[held.region];
    return mailOf({
      to: email,
      subject: `Your details stay for now: request ${reference}`,
      heading: 'Your details stay for now',
      paragraphs: [
        `You asked ${business} to remove your details of request ${reference}. They keep them, because ${keepReasonWords[answer.data.reason]}.`,
        `Your details are removed by themselves on ${dayWords(answer.data.until, held.timeZone)}: there is nothing for you to do.`,
        ...contact,
        `You do not agree? Talk to ${business} first. You can also complain to ${name}: ${url}`,
      ],
      action: { label: 'Your details', url: `${deps.config.publicOrigin}/your-details/${token}` },
      why,
    });
  },
};
