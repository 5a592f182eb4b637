import { ConflictError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { correctionLength } from '#core/values/job-form.ts';
import { countCharacters, tooLongMessage } from '#core/values/text.ts';
import type {
  AnswerCorrection,
  AskForCorrection,
  AskForRemoval,
  CorrectDetails,
  RefuseRemoval,
  SayJobNoLongerNeeded,
} from '../commands.ts';
import type { JobEvent } from '../events.ts';
import { assertNotErased, erasurePlannedMessage } from '../retention/decide.ts';
import { type ExistingJob, idsOf } from '../state.ts';
import { hidesContact } from '../status/statuses.ts';

/** The most corrections that are asked for about one job: each is a mail to the business. */
export const mostCorrections = 10;

const noCorrectionMessage = 'Please write what is to be corrected';

/** The customer called the job off; the status stays the tradie's decision. */
export function sayJobNoLongerNeeded(job: ExistingJob, { at }: SayJobNoLongerNeeded): JobEvent[] {
  if (job.isNoLongerNeeded) return [];
  return [{ type: 'JobNoLongerNeeded', data: { ...idsOf(job), saidAt: at } }];
}

/**
 * Puts a correction that the customer asks for on record; the same text twice is one. Throws InvalidInputError for no text or one of
 * more than `correctionLength` characters, ConflictError where the details are removed or about to be, or after too many.
 */
export function askForCorrection(job: ExistingJob, { at, data }: AskForCorrection): JobEvent[] {
  const text = data.text.trim();
  if (text === '') throw new InvalidInputError(noCorrectionMessage);
  if (countCharacters(text) > correctionLength) throw new InvalidInputError(tooLongMessage(correctionLength));
  assertNotErased(job);
  if (job.corrections.some((one) => one.text === text)) return [];
  if (job.plannedErasure !== null) throw new ConflictError(erasurePlannedMessage);
  if (job.corrections.length >= mostCorrections)
    throw new ConflictError(`${mostCorrections} corrections were asked for already`);
  return [{ type: 'CustomerCorrectionAsked', data: { ...idsOf(job), text, askedAt: at } }];
}

/** The business's answer to a correction; the same again changes nothing. Throws NotFoundError for one that was never asked for. */
export function answerCorrection(job: ExistingJob, { at, data }: AnswerCorrection): JobEvent[] {
  const { asked, answer } = data;
  assertNotErased(job);
  const correction = job.corrections.find(({ revision }) => revision === asked);
  if (!correction) throw new NotFoundError('Correction not found');
  if (correction.answer === answer) return [];
  return [{ type: 'CustomerCorrectionAnswered', data: { ...idsOf(job), asked, answer, answeredAt: at } }];
}

/**
 * Changes the details as a correction has it, and agrees to it; the same details again only agree. Throws NotFoundError for a correction
 * that was never asked for, ConflictError where the business does not see the contact, so that it would change it unseen, or where the
 * details are removed.
 */
export function correctDetails(job: ExistingJob, { at, data }: CorrectDetails): JobEvent[] {
  const { asked, name, email, phone, location } = data;
  const answered = answerCorrection(job, {
    ...{ type: 'AnswerCorrection', at },
    data: { ...idsOf(job), asked, answer: 'agreed' },
  });
  if (job.plannedErasure !== null) throw new ConflictError(erasurePlannedMessage);
  if (hidesContact(job.status)) throw new ConflictError(acceptFirstMessage);
  const { contact } = job;
  const isSame =
    contact.name === name &&
    contact.email === email &&
    contact.phone === phone &&
    contact.address === location.address;
  if (isSame) return answered;
  const details = { name, email, phone, location, asked, correctedAt: at };
  return [{ type: 'CustomerDetailsCorrected', data: { ...idsOf(job), ...details } }, ...answered];
}

const acceptFirstMessage = 'Accept the job to correct the details: until then email and phone are hidden';

const notAskedMessage = 'The customer does not ask for the removal of their details';
const keptMessage = 'The business answered that it keeps the details';

/**
 * Puts the customer's request for removal on record, once until it is carried out, taken back or refused. Throws ConflictError where it
 * was refused and the details stay until a later day: what was never accepted, the business cannot keep.
 */
export function askForRemoval(job: ExistingJob, { at }: AskForRemoval): JobEvent[] {
  if (job.isErased || job.plannedErasure !== null || job.isRemovalAsked) return [];
  if (isKept(job, at) && !hidesContact(job.status)) throw new ConflictError(keptMessage);
  return [{ type: 'CustomerRemovalAsked', data: { ...idsOf(job), askedAt: at } }];
}

/**
 * The business keeps the details for one of the reasons. The same again changes nothing, after its day too. Throws ConflictError where
 * the customer does not ask for their removal, and for a job that was never accepted: its details go without the business.
 */
export function refuseRemoval(job: ExistingJob, { at, data }: RefuseRemoval): JobEvent[] {
  const { reason, until } = data;
  assertNotErased(job);
  if (!job.isRemovalAsked && (isKept(job, at) || job.keptUntil === until)) return [];
  if (!job.isRemovalAsked || hidesContact(job.status)) throw new ConflictError(notAskedMessage);
  return [{ type: 'CustomerRemovalRefused', data: { ...idsOf(job), reason, until, refusedAt: at } }];
}

/** Whether the business answered that it keeps the details until a day that has not come. */
function isKept({ keptUntil }: ExistingJob, at: string): boolean {
  return keptUntil !== null && Date.parse(keptUntil) > Date.parse(at);
}
