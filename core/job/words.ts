import type { Json } from '#core/kernel/canonical-json.ts';
import type { DeclaredEvents, EventOf } from '#core/kernel/event.ts';

/** What an entry of a job's history holds: the value before, and the one it led to. */
export type Values<From, To> = Readonly<{ from: From; to: To }>;

/** Of an entry that says all by its words. */
export type NoValues = Values<null, null>;

/** `when` writes an instant; `besideJob`: the words stand on the page of the job, which they call `it`. */
export type Wording = Readonly<{ besideJob: boolean; when(instant: string): string }>;

/** What was done and, where there is one, the value that it led to. */
export type Action = readonly [what: string, to?: string];

/**
 * For each kind of entry what it says behind the name of who did it: as a text anywhere, as a text and another one beside the job itself,
 * or by its values.
 */
export type HistoryWords<Entries> = {
  readonly [What in keyof Entries]:
    | string
    | readonly [text: string, besideJob: string]
    | ((values: Entries[What], wording: Wording) => Action);
};

/** How an instant is written. */
export type Clock = (at: string | Date) => string;

/** An event's data from a file that nobody has checked: any value may stand in a field, or none. */
type Unchecked<Data> = { readonly [Field in keyof Data]?: Json };

/**
 * What a record says of each event, with its values that are not personal, as a sentence without its end; and of each personal field what
 * it is called. This goes into a page of one file: what says it imports types and words alone.
 */
export type RecordWords<Events extends DeclaredEvents> = Readonly<{
  events: {
    readonly [Type in keyof Events & string]:
      | string
      | ((data: Unchecked<EventOf<Events, Type>['data']>, clock: Clock) => string);
  };
  fields: Readonly<Record<string, string>>;
}>;

/** A code as words: `on-my-way`. */
export const spaced = (value: Json | undefined) => String(value ?? '').replaceAll('-', ' ');

/** What is said of a job that came with a time or got one, and of one without. */
export const scheduled =
  (to: string, off: string) =>
  ({ scheduledAt: at }: Readonly<{ scheduledAt?: Json }>, clock: Clock) =>
    typeof at === 'string' ? `${to} ${clock(at)}` : off;
