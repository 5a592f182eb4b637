import { isListOf, isMapOf, isNumber, isRecord, isText, readShaped } from '#site/lib/shape.ts';
import type { FormValues } from '#site/ui/plain-form/form-body.ts';

/** What was sent from this tab, for the page that confirms it. `at` in milliseconds; `previews` are data URLs. */
export type SentRequest = Readonly<{
  reference: string;
  at: number;
  values: FormValues;
  previews: readonly string[];
}>;

const isSentRequest = isRecord<SentRequest>({
  reference: isText,
  at: isNumber,
  values: isMapOf(isText),
  previews: isListOf(isText),
});

type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * The last request of one business's form, on its way to the page that confirms it: taken once, so that the browser has
 * nothing of it left. Where the browser refuses storage nothing is stored, and nothing breaks.
 */
export function sentRequest(slug: string, storage: () => TabStorage = () => sessionStorage) {
  const name = `ute.sent.${slug}`;
  const unlessRefused = <T>(act: () => T): T | null => {
    try {
      return act();
    } catch {
      return null;
    }
  };
  return {
    save: (sent: SentRequest) => unlessRefused(() => storage().setItem(name, JSON.stringify(sent))),
    take: () =>
      unlessRefused(() => {
        const stored = storage().getItem(name);
        storage().removeItem(name);
        return readShaped(stored, isSentRequest);
      }),
  };
}
