import { canonicalJson, type Json, type JsonObject } from '#core/kernel/canonical-json.ts';
import { type KeepReason, keepReasonWords } from '#core/values/stored-details.ts';
import { fromBase64, toHex } from './base64.ts';

/** How an instant is written. */
export type Clock = (at: string | Date) => string;

type Words = string | ((data: JsonObject, clock: Clock) => string);

const spaced = (value: Json | undefined) => String(value ?? '').replaceAll('-', ' ');
const scheduled =
  (to: string, off: string) =>
  ({ scheduledAt: at }: JsonObject, clock: Clock) =>
    typeof at === 'string' ? `${to} ${clock(at)}` : off;

/** What an event of a job says, with its values that are not personal. This goes into a page of one file, so nothing else is imported. */
const words: Readonly<Record<string, Words>> = {
  JobRequested: ({ isUrgent, reachBy, unsentFiles }) =>
    `The customer sent the request${isUrgent === true ? ', as urgent' : ''}${reachBy ? `, to be reached by ${spaced(reachBy)}` : ''}${unsentFiles ? `, without ${unsentFiles} of the files` : ''}`,
  WorkOrderReceived: scheduled('The work order came in, scheduled for', 'The work order came in'),
  JobAdded: scheduled('The tradie added the job, scheduled for', 'The tradie added the job'),
  JobAccepted: 'The tradie accepted the job',
  JobRejected: 'The tradie rejected the job',
  JobRejectionExplained: 'The tradie said why the job was rejected',
  JobScheduled: scheduled('The job was scheduled for', 'The job was taken off the schedule'),
  JobStatusChanged: ({ status }) => `The status was changed to ${status}`,
  JobMarkedUnsuccessful: 'The status was changed to Unsuccessful',
  JobNotesChanged: 'The notes were changed',
  JobStatusRestored: ({ status }) => `A change was undone: the status is ${status} again`,
  JobScheduleRestored: scheduled(
    'A change was undone: the job is scheduled again for',
    'A change was undone: the job is off the schedule again',
  ),
  JobNotesRestored: 'A change was undone: the notes are as they were',
  JobPhotoAdded: ({ stage }) => `The tradie added a photo (${stage})`,
  JobPhotoDescribed: ({ stage }) => `The tradie changed what a photo shows (${stage})`,
  JobPhotoRemoved: 'The tradie removed a photo',
  CustomerMessageOpened: ({ kind }) => `The tradie opened a message to the customer: ${spaced(kind)}`,
  JobOpened: 'The tradie opened the job',
  JobNoLongerNeeded: 'The customer said that the job is no longer needed',
  CustomerCorrectionAsked: 'The customer asked for a correction',
  CustomerCorrectionAnswered: ({ answer }) => `The tradie answered the correction: ${spaced(answer)}`,
  CustomerDetailsCorrected: "The tradie corrected the customer's details",
  CustomerRemovalAsked: 'The customer asked to remove their details',
  CustomerRemovalRefused: ({ reason, until }, clock) =>
    `The tradie keeps the customer's details until ${clock(String(until))}, because ${keepReasonWords[reason as KeepReason] ?? reason}`,
  JobHeld: 'The request was held for review',
  JobRecordIssued: ({ audience, by }) => `A record was made for the ${audience}, by the ${by}`,
  JobDisputeOpened: ({ until }, clock) => `The tradie noted a dispute, until ${clock(String(until))}`,
  JobDisputeClosed: 'The dispute was closed',
  CustomerErasurePlanned: ({ dueAt }, clock) =>
    `The removal of the customer's details was planned for ${clock(String(dueAt))}`,
  CustomerErasureCancelled: "The customer's details stay after all",
  JobCustomerErased: "The customer's details were removed",
};

/** An event of a job as a sentence without its end; its type where it has no words. */
export function eventWords(type: string, data: JsonObject, clock: Clock = inUtc): string {
  const found = Object.hasOwn(words, type) ? words[type] : undefined;
  return (typeof found === 'function' ? found(data, clock) : found) ?? type;
}

/** The hash of the photo that an event added, as tools write it; null for another event. */
export function photoHash(type: string, { sha256 }: JsonObject): string | null {
  const bytes = type === 'JobPhotoAdded' ? fromBase64(String(sha256)) : null;
  return bytes && toHex(bytes);
}

const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

/** An instant in UTC, to the second: `2026-11-23 05:00:00 UTC`. Other text as it is. */
export const inUtc: Clock = (at) => {
  const text = typeof at === 'string' ? at : isoOf(at);
  const [, day, time] = ISO.exec(text) ?? [];
  return day ? `${day} ${time} UTC` : text;
};

/** As the paper of a record has it: `Mon 23 Nov 2026, 4:00:00PM (UTC+11)`. In UTC for what is no zone, or none that is known here. */
export function clockOf(timeZone: string): Clock {
  const parts = { weekday: 'short', day: '2-digit', month: 'short', year: 'numeric' } as const;
  const time = { hour: 'numeric', minute: '2-digit', second: '2-digit', hour12: true } as const;
  try {
    const wall = new Intl.DateTimeFormat('en-US', {
      timeZone,
      timeZoneName: 'shortOffset',
      ...parts,
      ...time,
    });
    return (at) => {
      const date = typeof at === 'string' && ISO.test(at) ? new Date(at) : at;
      if (typeof date === 'string' || Number.isNaN(date.getTime())) return inUtc(at);
      const of = Object.fromEntries(wall.formatToParts(date).map(({ type, value }) => [type, value]));
      const offset = of['timeZoneName']?.replace('GMT', 'UTC');
      return `${of['weekday']} ${of['day']} ${of['month']} ${of['year']}, ${of['hour']}:${of['minute']}:${of['second']}${of['dayPeriod']} (${offset})`;
    };
  } catch {
    return inUtc;
  }
}

function isoOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'a day that no calendar has' : date.toISOString();
}

const labels: Readonly<Record<string, string>> = {
  ...{ name: 'Name', email: 'Email', phone: 'Phone', location: 'Address', title: 'Title', notes: 'Notes' },
  ...{ description: 'Description', wishedTime: 'Wished time', reason: 'Reason', text: 'Correction' },
  ...{ caption: 'Caption', answers: 'Answer', media: 'File' },
};

/** A personal field by name, an element of a list by its number: `Answer 2`. */
export function fieldLabel(field: string): string {
  const [name = '', n] = field.split('/');
  const label = Object.hasOwn(labels, name) ? labels[name] : name;
  return n === undefined ? `${label}` : `${label} ${Number(n) + 1}`;
}

/** What stands in a personal field; null where it is empty. */
export function fieldWords(value: Json): string | null {
  if (value === null || value === '') return null;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? null : canonicalJson(value);
  const object = value as JsonObject;
  const { address, question, answer, name, mime, bytes } = object;
  if (typeof address === 'string') return placeWords(address, object);
  if (typeof question === 'string' && typeof answer === 'string') return `${question} ${answer}`;
  if (typeof name === 'string' && typeof bytes === 'number') return `${name}, ${mime}, ${bytes} bytes`;
  return canonicalJson(value);
}

function placeWords(address: string, { lat, lng }: JsonObject): string | null {
  const place = typeof lat === 'number' && typeof lng === 'number' ? `${lat}, ${lng}` : '';
  return [address, place && address ? `(${place})` : place].filter(Boolean).join(' ') || null;
}
