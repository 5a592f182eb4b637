import { isMapOf, isRecord, isText, orMissing, readShaped, type Shape } from '#site/lib/shape.ts';
import type { FormValues } from './form-body.ts';

/** What survives a reload in this tab, and the key under which this very request is sent however often it is tried. */
export type Draft = Readonly<{ values: FormValues; sending?: { key: string; body: string } }>;

const isDraft = isRecord({
  values: isMapOf(isText),
  sending: orMissing(isRecord({ key: isText, body: isText })),
}) as Shape<Draft>;

/** The draft of one business's form. Where the browser refuses storage nothing is stored, and nothing breaks. */
export function draftOf(slug: string, storage: () => Storage = () => sessionStorage) {
  const name = `ute.form.${slug}`;

  function read(): Draft {
    try {
      return readShaped(storage().getItem(name), isDraft) ?? { values: {} };
    } catch {
      return { values: {} };
    }
  }

  function write(draft: Draft): void {
    try {
      storage().setItem(name, JSON.stringify(draft));
    } catch {
      // Private browsing may refuse; the form still works without a draft.
    }
  }

  return {
    values: (): FormValues => read().values,
    saveValues: (values: FormValues): void => write({ ...read(), values }),
    /** The same body has the same key, so that a repeat is no second job; a changed one gets a new key. */
    keyFor(body: string, newKey: () => string): string {
      const { sending, values } = read();
      if (sending?.body === body) return sending.key;
      const key = newKey();
      write({ values, sending: { key, body } });
      return key;
    },
    remove(): void {
      try {
        storage().removeItem(name);
      } catch {
        // Nothing was stored.
      }
    },
  };
}
