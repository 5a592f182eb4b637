import { loadBusiness } from '#api/accounts/load-account.ts';
import { storeLink } from '#api/intake/answers/links.ts';
import { customerOf } from '#api/messages/customer.ts';
import { loadMessageJob } from '#api/messages/load-message-job.ts';
import { mailOf } from '#api/messages/mail-layout.ts';
import type { ComposingDeps, MailKind } from '#api/messages/message-kind.ts';
import { mintedSecret } from '#api/messages/minted-secret.ts';
import type { OutboxMessage } from '#api/messages/outbox/outbox.ts';
import type { Mail } from '#api/providers/messages.ts';
import type { BusinessState } from '#core/business/state.ts';
import type { JobEvent } from '#core/job/events.ts';
import { privacyRegulators } from '#core/values/region.ts';
import { keepReasonWords } from '#core/values/stored-details.ts';
import { dayWords } from '#core/values/time.ts';

/** Tells the customer that the business keeps their details: why, when they go by themselves, and where to complain. */
export const removalRefusedMail: MailKind = {
  kind: 'removal-refused-mail',
  follows: ['CustomerRemovalRefused'],
  channel: 'mail',
  label: 'The email that tells the customer why their details stay',
  compose: (deps, message) =>
    answeredMail(deps, message, ({ answer, business, reference, held, complain }) =>
      answer.type === 'CustomerRemovalRefused'
        ? {
            heading: 'Your details stay for now',
            paragraphs: [
              `You asked ${business} to remove your details of request ${reference}. They keep them, because ${keepReasonWords[answer.data.reason]}.`,
              `Your details are removed by themselves on ${dayWords(answer.data.until, held.timeZone)}: there is nothing for you to do.`,
              ...complain,
            ],
          }
        : null,
    ),
};

/** Tells the customer what became of the correction that they asked for. What they wrote stands on their page alone. */
export const correctionAnsweredMail: MailKind = {
  kind: 'correction-answered-mail',
  follows: ['CustomerCorrectionAnswered'],
  channel: 'mail',
  label: 'The email that tells the customer of your answer to their correction',
  compose: (deps, message) =>
    answeredMail(deps, message, ({ answer, business, reference, complain }) =>
      answer.type !== 'CustomerCorrectionAnswered'
        ? null
        : answer.data.answer === 'agreed'
          ? {
              heading: 'Your correction stands',
              paragraphs: [
                `${business} agrees to the correction that you asked for in request ${reference}.`,
              ],
            }
          : {
              heading: 'Your correction stays as your statement',
              paragraphs: [
                `${business} does not agree to the correction that you asked for in request ${reference}. What you wrote stays with the job as your statement.`,
                ...complain,
              ],
            },
    ),
};

type Answered = Readonly<{
  answer: JobEvent;
  business: string;
  reference: string;
  held: NonNullable<BusinessState>;
  /** What to do about an answer that the customer does not agree with. */
  complain: readonly string[];
}>;

/** A mail about the event that the message follows, with a link to the customer's page; null once the details go. */
async function answeredMail(
  deps: ComposingDeps,
  message: OutboxMessage,
  words: (answered: Answered) => Readonly<{ heading: string; paragraphs: readonly string[] }> | null,
): Promise<Mail | null> {
  const { details, events, businessId } = await loadMessageJob(deps, message);
  const answer = events.find(({ revision }) => revision === message.data['revision'])?.event;
  if (!answer || details.erasedAt !== null || details.erasureDueAt !== null) return null;
  const [customer, held] = await Promise.all([
    customerOf(deps, message, details),
    loadBusiness(deps, businessId),
  ]);
  if (!customer || !held) return null;
  const { email, business, contact, reference, why } = customer;
  const { name, url } = privacyRegulators[held.region];
  const complain = [
    ...contact,
    `You do not agree? Talk to ${business} first. You can also complain to ${name}: ${url}`,
  ];
  const said = words({ answer, business, reference, held, complain });
  if (said === null) return null;
  const token = mintedSecret(deps.config, message, 'your details');
  const target = { kind: 'privacy', jobId: details.id, businessId, accountId: null } as const;
  await storeLink(deps.db, token, target, deps.now());
  return mailOf({
    ...{ to: email, subject: `${said.heading}: request ${reference}`, ...said },
    action: { label: 'Your details', url: `${deps.config.publicOrigin}/your-details/${token}` },
    why,
  });
}
