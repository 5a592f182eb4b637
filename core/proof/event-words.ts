import { fromBase64, toHex } from '#core/crypto/base64.ts';
import { recordWords } from '#core/job/record-words.ts';
import type { Clock } from '#core/job/words.ts';
import { canonicalJson, type Json, type JsonObject } from '#core/kernel/canonical-json.ts';

type Words = string | ((data: JsonObject, clock: Clock) => string);

const words: Readonly<Record<string, Words>> = recordWords.events;
const labels = recordWords.fields;

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
