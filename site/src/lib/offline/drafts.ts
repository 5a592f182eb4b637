import { tabsChannel, tabValues } from '#site/lib/browser-storage.ts';
import { readShaped, type Shape } from '#site/lib/shape.ts';

/** What is typed but not saved yet is stored in this tab, per account. It outlives a lost session and other accounts, not its own logout. */
export const draftPrefix = 'ute.draft.';

export type Drafts<T> = Readonly<{
  read(): T | null;
  write(draft: T): void;
  remove(): void;
}>;

/** The draft of one form of one account; one that has not the shape is none. */
export function draftsOf<T>(form: string, account: string, shape: Shape<T>): Drafts<T> {
  const key = `${draftPrefix}${form}.${account}`;
  return {
    read: () => readShaped(tabValues.getItem(key), shape),
    write: (draft) => void tabValues.setItem(key, JSON.stringify(draft)),
    remove: () => tabValues.removeItem(key),
  };
}

/** The forms of which an account has a draft in this tab. */
export function draftedForms(account: string): string[] {
  return keysOf(account).map((key) => key.slice(draftPrefix.length, -`.${account}`.length));
}

/** Removes the drafts of an account in this tab. */
export function removeDrafts(account: string): void {
  for (const key of keysOf(account)) tabValues.removeItem(key);
}

function keysOf(account: string): string[] {
  const isOwn = (key: string) => key.startsWith(draftPrefix) && key.endsWith(`.${account}`);
  return tabValues.names().filter(isOwn);
}

/** Between the tabs: who has drafts of an account, that one has some, and which tabs are to remove theirs. */
type Message =
  | Readonly<{ asks: string }>
  | Readonly<{ tab: string; forms: readonly string[] }>
  | Readonly<{ removes: string; tabs: readonly string[] }>;

const channel = () => tabsChannel('ute.drafts');

/** Has this page tell a tab that logs out which drafts it has, and remove those once that is agreed. */
export function tellOfDrafts(): void {
  const tabs = channel();
  const tab = `${Date.now()} ${Math.random()}`;
  tabs?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if ('asks' in data) {
      const forms = draftedForms(data.asks);
      if (forms.length > 0) tabs.postMessage({ tab, forms } satisfies Message);
    }
    if ('removes' in data && data.tabs.includes(tab)) removeDrafts(data.removes);
  });
}

/** How long the other tabs have to answer, in milliseconds. One that does not, because it sleeps, loses none. */
const answerTime = 250;

/** The drafts of an account by their forms, in all tabs, and what removes just those. */
export async function draftsEverywhere(
  account: string,
): Promise<Readonly<{ forms: readonly string[]; remove(): void }>> {
  const others = new Map<string, readonly string[]>();
  const tabs = channel();
  const listen = ({ data }: MessageEvent<Message>) => 'tab' in data && others.set(data.tab, data.forms);
  if (tabs) {
    tabs.addEventListener('message', listen);
    tabs.postMessage({ asks: account } satisfies Message);
    await new Promise((resolve) => setTimeout(resolve, answerTime));
    tabs.removeEventListener('message', listen);
  }
  return {
    forms: [...draftedForms(account), ...[...others.values()].flat()],
    remove() {
      removeDrafts(account);
      tabs?.postMessage({ removes: account, tabs: [...others.keys()] } satisfies Message);
    },
  };
}
