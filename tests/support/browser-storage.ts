import type { Page, Response } from '@playwright/test';

/** All that a page's browser holds of its site: both storages, IndexedDB, cached pages and cookies, as one text. */
export async function browserStorage(page: Page): Promise<string> {
  const cookies = JSON.stringify(await page.context().cookies());
  const held = await page.evaluate(async () => {
    const finished = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const textOf = (value: unknown): string =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value)
        ? new TextDecoder().decode(value)
        : value !== null && typeof value === 'object'
          ? Object.entries(value)
              .map(([name, part]) => `${name}=${textOf(part)}`)
              .join('\n')
          : String(value);
    const texts = [textOf({ ...localStorage }), textOf({ ...sessionStorage })];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await finished(indexedDB.open(name));
      for (const table of database.objectStoreNames) {
        texts.push(textOf(await finished(database.transaction(table).objectStore(table).getAll())));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const stored = await (await caches.open(name)).matchAll();
      for (const answer of stored) texts.push(answer.url, await answer.text());
    }
    return texts.join('\n');
  });
  return `${cookies}\n${held}`;
}

/** Collects the HTML of every page that is loaded from now on, as the server sent it. */
export function loadedHtml(page: Page): () => Promise<string> {
  const answers: Response[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'document') answers.push(response);
  });
  // A redirect has no body.
  return async () => (await Promise.all(answers.map((answer) => answer.text().catch(() => '')))).join('\n');
}
