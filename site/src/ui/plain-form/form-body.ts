import { eachField, type JobRequestField } from '#core/values/job-form.ts';
import { sessionValues } from '#site/lib/browser-storage.ts';
import { isMapOf, isRecord, isText, orMissing, readShaped, type Shape } from '#site/lib/shape.ts';

/** An address that was chosen from suggestions; `lat` and `lng` in degrees, WGS 84, null where only its text is known. */
export type Place = Readonly<{
  address: string;
  placeId: string | null;
  lat: number | null;
  lng: number | null;
}>;

/** Everything typed, by the name of its control. An unticked box and an unchosen answer are absent. */
export type FormValues = Readonly<Record<string, string>>;

/** The body of `POST /api/public-forms/{slug}/jobs`. */
export type JobRequestBody = Readonly<
  Record<JobRequestField, string> & {
    isUrgent: boolean;
    answers: readonly { questionId: string; answer: string }[];
    website: string;
  } & Partial<Omit<Place, 'address'>> & { media?: readonly string[]; unsentFiles?: number }
>;

/** What the name of a question's control begins with; its id follows. */
export const answerPrefix = 'answer.';

export function readValues(form: HTMLFormElement): FormValues {
  const entries = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** What goes with the typed values: the address that was chosen, the ids of the files, and how many files are left behind. */
export type Attached = Readonly<{ place: Place | null; media: readonly string[]; unsentFiles: number }>;

/** The typed values as the API takes them; questions left blank are not answered. */
export function bodyOf(values: FormValues, { place, media, unsentFiles }: Attached): JobRequestBody {
  const text = (name: string) => values[name] ?? '';
  const answers = Object.entries(values)
    .filter(([name, answer]) => name.startsWith(answerPrefix) && answer.trim() !== '')
    .map(([name, answer]) => ({ questionId: name.slice(answerPrefix.length), answer }));
  return {
    ...eachField(text),
    isUrgent: values.isUrgent === 'on',
    answers,
    website: text('website'),
    ...(place && { placeId: place.placeId, lat: place.lat, lng: place.lng }),
    ...(media.length > 0 && { media }),
    ...(unsentFiles > 0 && { unsentFiles }),
  };
}

/** What survives a reload in this tab, and the key under which this very request is sent however often it is tried. */
export type Draft = Readonly<{ values: FormValues; sending?: { key: string; body: string } }>;

const isDraft = isRecord({
  values: isMapOf(isText),
  sending: orMissing(isRecord({ key: isText, body: isText })),
}) as Shape<Draft>;

/** The draft of one business's form. */
export function draftOf(slug: string) {
  const name = `ute.form.${slug}`;

  function read(): Draft {
    return readShaped(sessionValues.getItem(name), isDraft) ?? { values: {} };
  }

  function write(draft: Draft): boolean {
    return sessionValues.setItem(name, JSON.stringify(draft));
  }

  return {
    values: (): FormValues => read().values,
    /** Whether they are stored. */
    saveValues: (values: FormValues): boolean => write({ ...read(), values }),
    /** The same body has the same key, so that a repeat is no second job; a changed one gets a new key. */
    keyFor(body: string, newKey: () => string): string {
      const { sending, values } = read();
      if (sending?.body === body) return sending.key;
      const key = newKey();
      write({ values, sending: { key, body } });
      return key;
    },
    remove: (): void => sessionValues.removeItem(name),
  };
}
