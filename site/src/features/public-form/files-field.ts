import { mediaUpload } from '#core/values/uploads.ts';
import type { Outcome } from '#site/lib/http/fetch-outcome.ts';
import { isListOf, isRecord, isText, orMissing, readShaped } from '#site/lib/shape.ts';
import type { Attached } from '#site/ui/plain-form/form-body.ts';
import { showProblem } from '#site/ui/plain-form/form-messages.ts';
import { upload } from '#site/ui/plain-form/send.ts';
import { type FileTile, fileTile, write } from './file-tile.ts';
import { loadFileScripts, prepared, removeFile, storedFile, storeFile } from './loaded-files.ts';

type Item = {
  name: string;
  file: Blob | null;
  id: string | null;
  /** By what this tab finds it again after a reload, while it is not up. */
  stored: string | null;
  /** A small picture of it as a data URL; null where there is none. */
  preview: string | null;
  isPrepared: boolean;
  tile: FileTile;
};

export type Files = Pick<Attached, 'media' | 'unsentFiles'>;

/** The files of the form. They go up while the rest is typed, one after the other. */
export type FilesField = Readonly<{
  /** The request is about to go. */
  start(): void;
  /** Waits until every file is up: what to send along, in the order of the list. */
  uploaded(): Promise<Outcome<Files>>;
  /** Whether a file is not up yet. */
  isWaiting(): boolean;
  /** Goes on without those that are not up: what to send along. */
  leave(): Files;
  /** The small pictures of what is up, in the order of the list. */
  previews(): readonly string[];
  /** What of it survives a reload, as text; and how that comes back. */
  stored(): string;
  restore(text: string | undefined): void;
  /** The request is sent: nothing waits in the browser any more. */
  forget(): void;
  /** Puts them into the form itself, which sends them along without script. */
  handOver(): void;
  /** The server has lost one: those that are still here go up again, the others leave the list. */
  startOver(): void;
}>;

/** A file before a reload: with an id it was up, with `stored` it waits in the browser, with neither it is lost. */
const areStored = isListOf(
  isRecord({ name: isText, id: orMissing(isText), stored: orMissing(isText), preview: orMissing(isText) }),
);

/** `onChange` is called when what is to be stored changes. */
export function filesField(form: HTMLFormElement, slug: string, onChange: () => void): FilesField {
  const field = form.querySelector<HTMLElement>('[data-files]');
  const input = field?.querySelector<HTMLInputElement>('input[type="file"]');
  const list = field?.querySelector('ul');
  const template = field?.querySelector('template')?.content.firstElementChild;
  let items: Item[] = [];
  let problems: readonly string[] = [];
  /** How many were refused since the request was about to go: their customer looks elsewhere by then. */
  let refused = 0;
  let preparing = Promise.resolve();
  let running: Promise<Outcome<unknown>> | undefined;
  let stop = new AbortController();

  if (field && input) {
    field.classList.add('is-listed');
    form.addEventListener('focusin', loadFileScripts, { once: true });
    input.addEventListener('change', () => {
      add([...(input.files ?? [])]);
      input.value = '';
    });
    for (const type of ['dragover', 'drop'] as const) {
      field.addEventListener(type, (event) => {
        event.preventDefault();
        if (type === 'drop') add([...(event.dataTransfer?.files ?? [])]);
      });
    }
  }

  /** Each has its tile at once, and one after the other gets its size: a phone has little memory. */
  function add(files: readonly File[]): void {
    clearProblems();
    for (const file of files) {
      if (items.length >= mediaUpload.files) {
        refuse(mediaUpload.tooMany);
        break;
      }
      const item = put({ name: file.name, file });
      if (!item) return;
      const whole = URL.createObjectURL(file);
      if (file.type.startsWith('image/')) item.tile.setPicture(whole);
      preparing = preparing.then(() => ready(item, file)).finally(() => URL.revokeObjectURL(whole));
    }
    onChange();
  }

  async function ready(item: Item, file: File): Promise<void> {
    if (!items.includes(item)) return;
    const sent = await prepared(file);
    if (!items.includes(item)) return;
    if ('problem' in sent) return reject(item, sent.problem);
    Object.assign(item, sent, { isPrepared: true });
    item.tile.setName(item.name);
    if (item.preview) item.tile.setPicture(item.preview);
    void store(item, sent.file);
    void sendUp();
  }

  /** At once: nothing can be stored any more while the page is left. Where the browser stores nothing, its name survives. */
  async function store(item: Item, file: Blob): Promise<void> {
    item.stored = await storeFile(file);
    if (item.id !== null || !items.includes(item)) unstore(item);
    onChange();
  }

  function unstore(item: Item): void {
    if (item.stored !== null) removeFile(item.stored);
    item.stored = null;
  }

  /** Brings a file back that waited when the page was left; names the one that is lost. */
  async function bringBack(item: Item): Promise<void> {
    const file = item.stored && (await storedFile(item.stored));
    if (!items.includes(item)) return;
    if (!file) return reject(item, 'Not sent before the page was left, please add it again');
    Object.assign(item, { file, isPrepared: true });
    void sendUp();
  }

  function put(known: Pick<Item, 'name'> & Partial<Item>): Item | null {
    const tile = fileTile(template, () => {
      clearProblems();
      drop(item);
      input?.focus();
    });
    if (!tile) return null;
    const item: Item = {
      ...{ file: null, id: null, stored: null, preview: null, isPrepared: false, tile },
      ...known,
    };
    items.push(item);
    // The tile that adds is the last one.
    list?.insertBefore(tile.row, list.lastElementChild);
    tile.setName(item.name);
    showState(item);
    if (item.preview) tile.setPicture(item.preview);
    return item;
  }

  function showState({ tile, id }: Item, waiting = 'Getting ready'): void {
    tile.setState(id === null ? waiting : '');
    showCount();
  }

  function showCount(): void {
    if (field) write(field, '[data-add]', items.length === 0 ? 'Add photos' : 'Add more');
  }

  function drop(item: Item): void {
    items = items.filter((other) => other !== item);
    item.tile.row.remove();
    unstore(item);
    showCount();
    onChange();
  }

  function reject(item: Item, problem: string): void {
    refused += 1;
    drop(item);
    refuse(`${item.name}: ${problem}`);
  }

  /** Each on a line of its own, until files are chosen or removed. */
  function refuse(problem: string): void {
    problems = [...new Set([...problems, problem])];
    showProblem(form, 'media', problems.join('\n'));
  }

  function clearProblems(): void {
    problems = [];
    showProblem(form, 'media', null);
  }

  function sendUp(): Promise<Outcome<unknown>> {
    if (running) return running;
    const mine = uploadAll(stop.signal).finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    return mine;
  }

  async function uploadAll(signal: AbortSignal): Promise<Outcome<unknown>> {
    for (let item = waiting(); item; item = waiting()) {
      showState(item);
      const outcome = await upload(slug, item.file, { name: item.name, signal });
      if (outcome.kind === 'ok') {
        item.id = outcome.payload.media.id;
        showState(item);
        unstore(item);
        onChange();
      } else if (outcome.kind === 'refused' && [413, 422].includes(outcome.status)) {
        reject(item, outcome.fields.media ?? outcome.message);
      } else {
        showState(item, 'Waiting');
        return outcome;
      }
    }
    return { kind: 'ok', payload: null };
  }

  const waiting = () =>
    items.find(
      (item): item is Item & { file: Blob } => item.id === null && item.file !== null && item.isPrepared,
    );

  function filesNow(): Files {
    const media = items.flatMap(({ id }) => id ?? []);
    return { media, unsentFiles: items.length - media.length + refused };
  }

  return {
    start() {
      refused = 0;
      if (stop.signal.aborted) stop = new AbortController();
    },
    async uploaded() {
      await preparing;
      const outcome = await sendUp();
      return outcome.kind === 'ok' ? { kind: 'ok', payload: filesNow() } : outcome;
    },
    isWaiting: () => items.some(({ id }) => id === null),
    leave() {
      stop.abort();
      running = undefined;
      return filesNow();
    },
    previews: () => items.flatMap(({ id, preview }) => (id === null ? [] : (preview ?? []))),
    stored: () =>
      JSON.stringify(
        items.map(({ name, id, stored, preview }) => ({
          name,
          ...(id === null ? stored && { stored } : { id }),
          ...(preview && { preview }),
        })),
      ),
    restore(text) {
      for (const { name, id = null, stored = null, preview = null } of readShaped(text ?? null, areStored) ??
        []) {
        const item = put({ name, id, stored, preview });
        if (item && id === null) preparing = preparing.then(() => bringBack(item));
      }
    },
    forget: () => items.forEach(unstore),
    handOver() {
      const carried = new DataTransfer();
      const { unsentFiles } = filesNow();
      for (const { id, file, name } of items) {
        if (id === null && file && !stop.signal.aborted)
          carried.items.add(new File([file], name, { type: file.type }));
        if (id !== null) form.append(hidden('keptMedia', id));
      }
      if (stop.signal.aborted) form.append(hidden('unsentFiles', String(unsentFiles)));
      if (input) input.files = carried.files;
    },
    startOver() {
      const before = items.length;
      for (const item of [...items]) {
        item.id = null;
        if (item.file === null) drop(item);
      }
      void sendUp().then(({ kind }) => {
        // Every file is up again: nothing is lost any more.
        if (kind !== 'ok' || items.length < before) return;
        clearProblems();
        onChange();
      });
    },
  };
}

function hidden(name: string, value: string): HTMLInputElement {
  return Object.assign(document.createElement('input'), { type: 'hidden', name, value });
}
