import { sessionValues } from '#site/lib/browser-storage.ts';
import { isListOf, isMapOf, isNumber, isRecord, isText, readShaped } from '#site/lib/shape.ts';
import type { FormValues } from '#site/ui/plain-form/form-body.ts';

/** What was sent from this tab, for the page that confirms it. `at` in milliseconds; `previews` are data URLs. */
export type SentRequest = Readonly<{
  reference: string;
  at: number;
  values: FormValues;
  previews: readonly string[];
  /** How many files stayed behind. */
  unsentFiles: number;
}>;

const isSentRequest = isRecord<SentRequest>({
  reference: isText,
  at: isNumber,
  values: isMapOf(isText),
  previews: isListOf(isText),
  unsentFiles: isNumber,
});

/**
 * The last request of one business's form, on its way to the page that confirms it: taken once, so that the browser has
 * nothing of it left.
 */
export function sentRequest(slug: string) {
  const name = `ute.sent.${slug}`;
  return {
    save: (sent: SentRequest) => sessionValues.setItem(name, JSON.stringify(sent)),
    take(): SentRequest | null {
      const stored = sessionValues.getItem(name);
      sessionValues.removeItem(name);
      return readShaped(stored, isSentRequest);
    },
  };
}
