import { changesMark } from '#site/lib/offline/marks.ts';
import { sealedTable } from '#site/lib/offline/sealed-table.ts';
import type { ChangeStore, StoredChange } from './change-queue.ts';

const table = sealedTable('ute.changes', { keyPath: 'id', mark: changesMark });

/** Changes that are not sent yet, in the browser's database: they outlive the page and a lost session, not a logout. */
export const storedChanges: ChangeStore & Pick<typeof table, 'ids' | 'forget'> = {
  put: (change) => table.put(change, new TextEncoder().encode(JSON.stringify(change))),
  remove: table.remove,
  async all(account) {
    const contents = await table.all(account);
    const changes = contents.map((content): StoredChange => JSON.parse(new TextDecoder().decode(content)));
    return changes.toSorted((a, b) => a.at - b.at);
  },
  ids: table.ids,
  forget: table.forget,
};
