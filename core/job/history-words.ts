import { ERASED, type KeepReason } from '#core/values/stored-details.ts';
import { type RejectionReason, rejectionReasonLabels } from './answer/rejection-reasons.ts';
import { type MessageKind, messageLabels } from './customer/customer-messages.ts';
import type { JobEvent } from './job.ts';
import { type PhotoStage, photoStageWords } from './photos/photo-stages.ts';

/** What an entry says behind the name of who did it: as a text anywhere, and beside the job itself where that differs. */
type Words = string | readonly [text: string, besideJob: string];

/** The events that make one entry without more to it than its words. */
export const plainEntries = {
  JobOpened: { what: 'opened', words: ['opened the job', 'opened it'] },
  JobNoLongerNeeded: { what: 'not-needed', words: 'said that this job is no longer needed' },
  JobPhotoDescribed: { what: 'photo-described', words: 'changed what a photo shows' },
  JobPhotoRemoved: { what: 'photo-removed', words: 'removed a photo' },
  JobRecordIssued: { what: 'record', words: 'made a record of the job' },
  JobDisputeOpened: { what: 'dispute-opened', words: 'noted a dispute: nothing is removed' },
  JobDisputeClosed: { what: 'dispute-closed', words: 'closed the dispute' },
  CustomerDetailsCorrected: { what: 'details-corrected', words: "corrected the customer's details" },
  CustomerRemovalAsked: { what: 'removal-asked', words: 'asked to remove their details' },
  CustomerErasurePlanned: { what: 'erasure-planned', words: "began to remove the customer's details" },
  CustomerErasureCancelled: { what: 'erasure-cancelled', words: "kept the customer's details after all" },
  JobCustomerErased: { what: 'erased', words: "removed the customer's details" },
} as const satisfies { [Type in JobEvent['type']]?: Readonly<{ what: string; words: Words }> };

/** How a job comes: an entry at its beginning alone. */
export const originEntries = {
  JobRequested: { what: 'requested', words: ['asked for this job', 'sent this from your job form'] },
  WorkOrderReceived: { what: 'ordered', words: 'sent this work order' },
  JobAdded: { what: 'added', words: 'added this job' },
} as const satisfies { [Type in JobEvent['type']]?: Readonly<{ what: string; words: Words }> };

/** What else has no values. */
const otherEntries = {
  'contact-seen': [
    'saw the contact details while the job was accepted',
    'saw the contact details while it was accepted',
  ],
  unreadable: 'did something that cannot be read',
} as const satisfies Readonly<Record<string, Words>>;

const allPlain = [...Object.values(plainEntries), ...Object.values(originEntries)];

const wordsOfPlain: Readonly<Record<string, Words>> = {
  ...Object.fromEntries(allPlain.map(({ what, words }) => [what, words])),
  ...otherEntries,
};

type PlainContent = Readonly<{
  what: (typeof allPlain)[number]['what'] | keyof typeof otherEntries;
  from: null;
  to: null;
  /** How many pictures came with a request; absent where none did. */
  photos?: number;
}>;

/** `, with 2 photos`; nothing where none came. */
export function withPhotos({ photos = 0 }: Pick<PlainContent, 'photos'>): string {
  if (photos === 0) return '';
  return photos === 1 ? ', with 1 photo' : `, with ${photos} photos`;
}

/** What an entry of a job's history is about: statuses by name, times as instants, notes and corrections in full. */
export type EntryContent =
  | PlainContent
  | Readonly<
      | { what: 'accepted' | 'rejected' | 'status'; from: string; to: string }
      | { what: 'rejection-explained'; from: null; to: RejectionReason | typeof ERASED }
      | { what: 'schedule'; from: string | null; to: string | null }
      | { what: 'notes'; from: string; to: string }
      | { what: 'correction-asked' | 'correction-agreed' | 'correction-refused'; from: null; to: string }
      | { what: 'removal-refused'; from: null; to: KeepReason }
      | { what: 'message'; from: null; to: MessageKind }
      | { what: 'photo-added'; from: null; to: PhotoStage }
    >;

/** `when` writes an instant; `besideJob`: the words stand on the page of the job, which they call `it`. */
export type Wording = Readonly<{ besideJob: boolean; when(instant: string): string }>;

/** An entry in words, without who did it: what was done and, where there is one, the value that it led to. */
export function actionWords(entry: EntryContent, wording: Wording): readonly [what: string, to?: string] {
  const [what, ...to] = plainAction(entry, wording);
  return [wording.besideJob ? what.replaceAll("'", '’') : what, ...to];
}

function plainAction(
  entry: EntryContent,
  { besideJob, when }: Wording,
): readonly [what: string, to?: string] {
  const job = besideJob ? 'it' : 'the job';
  switch (entry.what) {
    case 'accepted':
      return [`accepted ${job}`];
    case 'rejected':
      return [`rejected ${job}`];
    case 'rejection-explained':
      if (entry.to === ERASED || entry.to === 'none')
        return [`${entry.to === ERASED ? 'said' : 'did not say'} why ${job} was rejected`];
      return [`said why ${job} was rejected:`, rejectionReasonLabels[entry.to].toLowerCase()];
    case 'status':
      return [besideJob ? `changed ${entry.from} to` : `changed the status from ${entry.from} to`, entry.to];
    case 'schedule':
      if (entry.to === null)
        return [`took ${job} off the schedule, it was ${entry.from && when(entry.from)}`];
      if (entry.from === null) return [besideJob ? 'set it for' : 'scheduled the job for', when(entry.to)];
      return [`moved ${job} from ${when(entry.from)} to`, when(entry.to)];
    case 'notes':
      return [
        entry.to === '' ? 'cleared the notes' : entry.from === '' ? 'wrote notes' : 'changed the notes',
      ];
    case 'correction-asked':
      return ['asked for a correction:', entry.to];
    case 'correction-agreed':
      return ['agreed to the correction:', entry.to];
    case 'correction-refused': {
      const whose = besideJob ? 'their' : "the customer's";
      return [`did not agree to the correction, which stays as ${whose} statement:`, entry.to];
    }
    case 'removal-refused':
      return ['answered that the details stay'];
    case 'message':
      return ['opened a message:', messageLabels[entry.to]];
    case 'photo-added':
      return [`added ${photoStageWords[entry.to]}`];
    default: {
      const words = wordsOfPlain[entry.what satisfies PlainContent['what']] ?? '';
      return [`${typeof words === 'string' ? words : words[besideJob ? 1 : 0]}${withPhotos(entry)}`];
    }
  }
}
