import { UnreadableError } from '#core/event-store/errors.ts';
import type { OpenedCommitment } from '#core/event-store/personal-fields.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { type JobEvent, personalNames } from '#core/job/job.ts';
import type { JobDetails } from '#core/job/view.ts';
import { withholdsField } from '#core/job/withheld-fields.ts';
import type { Json, JsonObject } from '#core/kernel/canonical-json.ts';
import { fieldsOf } from '#core/proof/openings.ts';
import type { RecordEvent, WithheldReason } from '#core/proof/record.ts';
import type { RecordAudience, RecordMaker } from '#core/values/stored-details.ts';

/** Whom a record is for, and who makes it. */
export type Reader = Readonly<{ audience: RecordAudience; by: RecordMaker }>;

type Fields = Pick<RecordEvent, 'digests' | 'openings' | 'withheld' | 'stated'>;

/** What is shown of an event's personal fields, and what is not. Throws `UnreadableError` where they are not what was committed to. */
export function fieldsFor(
  wanted: Reader,
  details: JobDetails,
  opened: OpenedCommitment,
  decoded: RecordedEvent<JobEvent> | undefined,
): Fields {
  if (opened.kind === 'differs') throw new UnreadableError('it is not what was committed to');
  const reasonFor = (field: string, value: Json) => reasonToWithhold(wanted, details, field, value);
  const withheldOf = (fields: JsonObject) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([field, value]) => {
        const reason = reasonFor(field, value);
        return reason ? [[field, reason] as const] : [];
      }),
    );
  const isErased = opened.kind === 'erased' || details.erasedAt !== null;
  if (opened.kind === 'fits' && !isErased) {
    const values = Object.fromEntries(
      Object.entries(opened.openings).map(([field, [, value]]) => [field, value]),
    );
    const withheld = withheldOf(values);
    const shown = Object.entries(opened.openings).filter(([field]) => !Object.hasOwn(withheld, field));
    return { digests: opened.digests, openings: Object.fromEntries(shown), withheld, stated: {} };
  }
  const personal = personalFields(decoded?.event);
  const none = { digests: {}, openings: {} };
  if (isErased) {
    const withheld = Object.keys(personal).map((field) => [field, 'erased'] as const);
    return { ...none, withheld: Object.fromEntries(withheld), stated: {} };
  }
  const withheld = withheldOf(personal);
  const stated = Object.entries(personal).filter(([field]) => !Object.hasOwn(withheld, field));
  return { ...none, withheld, stated: Object.fromEntries(stated) };
}

/** The personal fields of an event that was read, each element of a list by itself; none of one that cannot be read. */
function personalFields(event: JobEvent | undefined): JsonObject {
  const data = Object(event?.data) as JsonObject;
  const names = event ? personalNames(event.type).filter((name) => name in data) : [];
  return fieldsOf(Object.fromEntries(names.map((name) => [name, data[name] as Json])));
}

/** What the tradie writes for the business alone: the notes, and what a dispute is about. */
const OF_THE_TRADIE = ['notes', 'reason'];
/** What the tradie says of a photo of the work: whether the customer is to have it is for the tradie to decide. */
const OF_THE_WORK = ['caption'];

/** The rules of a job's page: contact that it withholds stays withheld, in texts as well. */
function reasonToWithhold(
  { audience, by }: Reader,
  details: JobDetails,
  field: string,
  value: Json,
): WithheldReason | null {
  if (audience === 'customer' && OF_THE_TRADIE.includes(field)) return 'not-for-you';
  if (by === 'customer' && OF_THE_WORK.includes(field)) return 'not-for-you';
  const isTheirOwn = audience === 'customer' && by !== 'tradie';
  return !isTheirOwn && withholdsField(details, field, value) ? 'not-for-you' : null;
}
