import { canonicalJson, type Json, type JsonObject } from '#core/kernel/canonical-json.ts';
import { type KeepReason, keepReasonWords } from '#core/values/stored-details.ts';
import { fromBase64 } from './base64.ts';

type Words = string | ((data: JsonObject) => string);

const spaced = (value: Json | undefined) => String(value ?? '').replaceAll('-', ' ');
const scheduled =
  (to: string, off: string) =>
  ({ scheduledAt: at }: JsonObject) =>
    typeof at === 'string' ? `${to} ${momentWords(at)}` : off;

/** What an event of a job says, with its values that are not personal. This goes into a page of one file, so nothing else is imported. */
const words: Readonly<Record<string, Words>> = {
  JobRequested: ({ isUrgent, reachBy }) =>
    `The customer sent the request${isUrgent === true ? ', as urgent' : ''}${reachBy ? `, to be reached by ${spaced(reachBy)}` : ''}`,
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
  JobPhotoAdded: ({ stage, sha256 }) =>
    `The tradie added a photo (${stage}) with the SHA-256 ${hexWords(sha256)}`,
  JobPhotoDescribed: ({ stage }) => `The tradie changed what a photo shows (${stage})`,
  JobPhotoRemoved: 'The tradie removed a photo',
  CustomerMessageOpened: ({ kind }) => `The tradie opened a message to the customer: ${spaced(kind)}`,
  JobOpened: 'The tradie opened the job',
  JobNoLongerNeeded: 'The customer said that the job is no longer needed',
  CustomerCorrectionAsked: 'The customer asked for a correction',
  CustomerCorrectionAnswered: ({ answer }) => `The tradie answered the correction: ${spaced(answer)}`,
  CustomerDetailsCorrected: "The tradie corrected the customer's details",
  CustomerRemovalAsked: 'The customer asked to remove their details',
  CustomerRemovalRefused: ({ reason, until }) =>
    `The tradie keeps the customer's details until ${momentWords(String(until))}, because ${keepReasonWords[reason as KeepReason] ?? reason}`,
  JobHeld: 'The request was held for review',
  JobRecordIssued: ({ audience, by }) => `A record was made for the ${audience}, by the ${by}`,
  JobDisputeOpened: ({ until }) => `The tradie noted a dispute, until ${momentWords(String(until))}`,
  JobDisputeClosed: 'The dispute was closed',
  CustomerErasurePlanned: ({ dueAt }) =>
    `The removal of the customer's details was planned for ${momentWords(String(dueAt))}`,
  CustomerErasureCancelled: "The customer's details stay after all",
  JobCustomerErased: "The customer's details were removed",
};

/** An event of a job as a sentence without its end; its type where it has no words. */
export function eventWords(type: string, data: JsonObject): string {
  const found = Object.hasOwn(words, type) ? words[type] : undefined;
  return (typeof found === 'function' ? found(data) : found) ?? type;
}

/** As tools write the hash of a file. */
function hexWords(base64: Json | undefined): string {
  const bytes = fromBase64(String(base64));
  return bytes ? [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('') : String(base64);
}

/** An instant of ISO 8601 in UTC, to the second: `2026-11-23 05:00:00 UTC`. Other text as it is. */
export function momentWords(at: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(at) ?? [];
  return day ? `${day} ${time} UTC` : at;
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
