import { type Handlers, idsOf, type JobIds, type OfJob } from '#core/job/part.ts';
import { assertNotErased, erasurePlannedMessage } from '#core/job/retention/decide.ts';
import type { RetentionState } from '#core/job/retention/events.ts';
import type { StatusState } from '#core/job/status/events.ts';
import { hidesContact } from '#core/job/status/statuses.ts';
import type { Command } from '#core/kernel/decider.ts';
import {
  ConflictError,
  IllegalTransitionError,
  InvalidInputError,
  NotFoundError,
} from '#core/kernel/errors.ts';
import type { EventOf } from '#core/kernel/event.ts';
import { correctionLength } from '#core/values/job-form.ts';
import type { CorrectionAnswer } from '#core/values/stored-details.ts';
import { countCharacters, severalLines, tooLongMessage } from '#core/values/text.ts';
import type { MessageKind } from './customer-messages.ts';
import type { CustomerEvent, CustomerState, customerEvents } from './events.ts';

/** The tradie opens a message to the customer: each time is an event of its own. */
export type OpenCustomerMessage = Command<'OpenCustomerMessage', OfJob & { kind: MessageKind }>;

/** The customer does not need the job any more; the status stays the tradie's decision. */
export type SayJobNoLongerNeeded = Command<'SayJobNoLongerNeeded', OfJob>;

/**
 * The customer asks for something to be corrected: the same text again is the same request. Refused for no text or one of more than
 * `correctionLength` characters, where the details are removed or about to be, and after too many.
 */
export type AskForCorrection = Command<'AskForCorrection', OfJob & { text: string }>;

/** The business answers the correction that is the event of revision `asked`. Another answer later counts from then on. */
export type AnswerCorrection = Command<
  'AnswerCorrection',
  OfJob & { asked: number; answer: CorrectionAnswer }
>;

/**
 * The business corrects the details as the customer asked with the event of revision `asked`, and so agrees; the same details again only
 * agree. Refused where the business does not see the contact, so that it would change it unseen, and where the details are removed.
 */
export type CorrectDetails = Command<
  'CorrectDetails',
  Omit<EventOf<typeof customerEvents, 'CustomerDetailsCorrected'>['data'], 'correctedAt'>
>;

/** The most corrections that are asked for about one job: each is a mail to the business. */
export const mostCorrections = 10;

const noCorrectionMessage = 'Please write what is to be corrected';
const acceptFirstMessage = 'Accept the job to correct the details: until then email and phone are hidden';

type Job = JobIds & CustomerState & StatusState & Pick<RetentionState, 'isErased' | 'plannedErasure'>;

type CustomerCommand =
  | OpenCustomerMessage
  | SayJobNoLongerNeeded
  | AskForCorrection
  | AnswerCorrection
  | CorrectDetails;

export const customerHandlers = {
  OpenCustomerMessage(job, { at, data: { kind } }) {
    assertNotErased(job);
    if (hidesContact(job.status)) throw new IllegalTransitionError('Accept the job to message the customer');
    if (job.plannedErasure !== null) throw new ConflictError(erasurePlannedMessage);
    return [{ type: 'CustomerMessageOpened', data: { ...idsOf(job), kind, openedAt: at } }];
  },

  SayJobNoLongerNeeded(job, { at }) {
    if (job.isNoLongerNeeded) return [];
    return [{ type: 'JobNoLongerNeeded', data: { ...idsOf(job), saidAt: at } }];
  },

  AskForCorrection(job, { at, data }) {
    const text = severalLines(data.text).trim();
    if (text === '') throw new InvalidInputError(noCorrectionMessage);
    if (countCharacters(text) > correctionLength)
      throw new InvalidInputError(tooLongMessage(correctionLength));
    assertNotErased(job);
    if (job.corrections.some((one) => one.text === text)) return [];
    if (job.plannedErasure !== null) throw new ConflictError(erasurePlannedMessage);
    if (job.corrections.length >= mostCorrections)
      throw new ConflictError(`${mostCorrections} corrections were asked for already`);
    return [{ type: 'CustomerCorrectionAsked', data: { ...idsOf(job), text, askedAt: at } }];
  },

  AnswerCorrection: (job, { at, data }) => answered(job, data, at),

  CorrectDetails(job, { at, data }) {
    const { asked, name, email, phone, location } = data;
    const agreed = answered(job, { asked, answer: 'agreed' }, at);
    if (job.plannedErasure !== null) throw new ConflictError(erasurePlannedMessage);
    if (hidesContact(job.status)) throw new ConflictError(acceptFirstMessage);
    const { contact } = job;
    const isSame =
      contact.name === name &&
      contact.email === email &&
      contact.phone === phone &&
      contact.address === location.address;
    if (isSame) return agreed;
    const details = { name, email, phone, location, asked, correctedAt: at };
    return [{ type: 'CustomerDetailsCorrected', data: { ...idsOf(job), ...details } }, ...agreed];
  },
} satisfies Handlers<CustomerCommand, Job, CustomerEvent>;

/** The same answer again changes nothing. Throws NotFoundError for a correction that was never asked for. */
function answered(
  job: Job,
  { asked, answer }: Pick<AnswerCorrection['data'], 'asked' | 'answer'>,
  at: string,
): CustomerEvent[] {
  assertNotErased(job);
  const correction = job.corrections.find(({ revision }) => revision === asked);
  if (!correction) throw new NotFoundError('Correction not found');
  if (correction.answer === answer) return [];
  return [{ type: 'CustomerCorrectionAnswered', data: { ...idsOf(job), asked, answer, answeredAt: at } }];
}
