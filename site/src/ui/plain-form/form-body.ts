import { eachField, type JobRequestField } from '#core/values/job-form.ts';
import type { Place } from '#site/ui/plain-form/place.ts';

/** Everything typed, by the name of its control. An unticked box and an unchosen answer are absent. */
export type FormValues = Readonly<Record<string, string>>;

/** The body of `POST /api/public-forms/{slug}/jobs`. */
export type JobRequestBody = Readonly<
  Record<JobRequestField, string> & {
    isUrgent: boolean;
    answers: readonly { questionId: string; answer: string }[];
    website: string;
  } & Partial<Omit<Place, 'address'>> & { media?: readonly string[] }
>;

const answerPrefix = 'answer.';

export function readValues(form: HTMLFormElement): FormValues {
  const entries = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** What goes with the typed values: the address that was chosen, and the ids of the files. */
export type Attached = Readonly<{ place: Place | null; media: readonly string[] }>;

/** The typed values as the API takes them; questions left blank are not answered. */
export function bodyOf(values: FormValues, { place, media }: Attached): JobRequestBody {
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
  };
}
