import { mediaUpload } from '#core/values/uploads.ts';
import { drawnWithin } from '#site/lib/drawn-within.ts';
import type { Outcome } from '#site/lib/http/fetch-outcome.ts';
import { isListOf, isNumber, isRecord, isText, readShaped } from '#site/lib/shape.ts';
import { showProblem } from '#site/ui/plain-form/form-messages.ts';
import { upload } from '#site/ui/plain-form/send.ts';

/** Enough to see a leak by, in pixels; a phone's picture has twice that. */
const longest = 2048;
/** A picture of fewer bytes is sent as it is. */
const small = 1024 * 1024;

const pictures: readonly (readonly [at: number, signature: string])[] = [
  [0, '\x89PNG'],
  [0, '\xff\xd8\xff'],
  [8, 'WEBP'],
];

/** The file as it is sent, or why it cannot be, in words for the customer. */
type Prepared = Readonly<{ file: Blob; name: string } | { problem: string }>;

/** Takes PDFs as they are, and pictures in the size that is needed. A picture that cannot be drawn is the server's to judge. */
async function prepare(file: File): Promise<Prepared> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  const isPicture = pictures.some(([at, signature]) => head.startsWith(signature, at));
  if (!isPicture && !head.startsWith('%PDF-')) return { problem: mediaUpload.wrongType };
  const sent = isPicture && file.size > small ? await shrunk(file).catch(() => file) : file;
  if (sent.size > mediaUpload.bytes) return { problem: mediaUpload.tooLarge };
  return { file: sent, name: sent === file ? file.name : file.name.replace(/\.\w+$|$/, '.jpg') };
}

async function shrunk(file: Blob): Promise<Blob> {
  const canvas = await drawnWithin(file, longest);
  const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
  return drawn && drawn.size < file.size ? drawn : file;
}

type Item = { name: string; bytes: number; file: Blob | null; id: string | null; row: HTMLElement };

/** The files of the form. They go up while the rest is typed, one after the other. */
export type FilesField = Readonly<{
  /** Waits until every file is up: the ids to send along, in the order of the list. */
  uploaded(): Promise<Outcome<readonly string[]>>;
  /** What of it survives a reload, as text; and how that comes back. */
  stored(): string;
  restore(stored: string | undefined): void;
  /** Puts them into the form itself, which sends them along without script. */
  handOver(): void;
  /** The server has lost one: those that are still here go up again, the others leave the list. */
  startOver(): void;
}>;

/** A file that was sent before a reload: only its name, its size and its id are stored. */
const areStored = isListOf(isRecord({ name: isText, bytes: isNumber, id: isText }));

/** `onChange` is called when what is to be stored changes. */
export function filesField(form: HTMLFormElement, slug: string, onChange: () => void): FilesField {
  const field = form.querySelector<HTMLElement>('[data-files]');
  const input = field?.querySelector<HTMLInputElement>('input[type="file"]');
  const list = field?.querySelector('ul');
  const template = field?.querySelector('template')?.content.firstElementChild;
  let items: Item[] = [];
  let running: Promise<Outcome<readonly string[]>> | undefined;

  if (field && input) {
    field.classList.add('is-listed');
    input.addEventListener('change', () => {
      void add([...(input.files ?? [])]);
      input.value = '';
    });
    for (const type of ['dragover', 'drop'] as const) {
      field.addEventListener(type, (event) => {
        event.preventDefault();
        if (type === 'drop') void add([...(event.dataTransfer?.files ?? [])]);
      });
    }
  }

  async function add(files: readonly File[]): Promise<void> {
    showProblem(form, 'media', null);
    for (const file of files) {
      if (items.length >= mediaUpload.files) return refuse(mediaUpload.tooMany);
      const prepared = await prepare(file);
      if ('problem' in prepared) refuse(`${file.name}: ${prepared.problem}`);
      else put({ ...prepared, bytes: prepared.file.size, id: null });
    }
    void uploaded();
  }

  function put(shown: Omit<Item, 'row'>): void {
    const row = template?.cloneNode(true);
    if (!(row instanceof HTMLElement)) return;
    const item: Item = { ...shown, row };
    write(row, '.file__name', item.name);
    const remove = row.querySelector('button');
    remove?.setAttribute('aria-label', `Remove ${item.name}`);
    remove?.addEventListener('click', () => {
      showProblem(form, 'media', null);
      drop(item);
      input?.focus();
    });
    items.push(item);
    list?.append(row);
    showState(item);
  }

  function showState({ row, id, bytes }: Item, waiting = 'Uploading…'): void {
    write(row, 'small', id === null ? waiting : sizeOf(bytes));
    if (list) list.hidden = items.length === 0;
  }

  function drop(item: Item): void {
    items = items.filter((other) => other !== item);
    item.row.remove();
    if (list) list.hidden = items.length === 0;
    onChange();
  }

  function refuse(problem: string): void {
    showProblem(form, 'media', problem);
  }

  function uploaded(): Promise<Outcome<readonly string[]>> {
    running ??= uploadAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function uploadAll(): Promise<Outcome<readonly string[]>> {
    for (let item = waiting(); item; item = waiting()) {
      showState(item);
      const outcome = await upload(slug, item.file, item.name);
      if (outcome.kind === 'ok') {
        item.id = outcome.payload.media.id;
        showState(item);
        onChange();
      } else if (outcome.kind === 'refused' && [413, 422].includes(outcome.status)) {
        drop(item);
        refuse(`${item.name}: ${outcome.fields.media ?? outcome.message}`);
      } else {
        showState(item, 'Not sent yet');
        return outcome;
      }
    }
    return { kind: 'ok', payload: items.flatMap(({ id }) => id ?? []) };
  }

  const waiting = () =>
    items.find((item): item is Item & { file: Blob } => item.id === null && item.file !== null);

  return {
    uploaded,
    stored: () =>
      JSON.stringify(items.flatMap(({ name, bytes, id }) => (id === null ? [] : [{ name, bytes, id }]))),
    restore(stored) {
      for (const item of readShaped(stored ?? null, areStored) ?? []) put({ ...item, file: null });
    },
    handOver() {
      const carried = new DataTransfer();
      for (const { id, file, name } of items) {
        if (id === null && file) carried.items.add(new File([file], name, { type: file.type }));
        if (id !== null) form.append(hidden('keptMedia', id));
      }
      if (input) input.files = carried.files;
    },
    startOver() {
      const before = items.length;
      for (const item of [...items]) {
        item.id = null;
        if (item.file === null) drop(item);
      }
      void uploaded().then(({ kind }) => {
        // Every file is up again: nothing is lost any more.
        if (kind !== 'ok' || items.length < before) return;
        showProblem(form, 'media', null);
        onChange();
      });
    },
  };
}

function hidden(name: string, value: string): HTMLInputElement {
  return Object.assign(document.createElement('input'), { type: 'hidden', name, value });
}

function write(row: HTMLElement, selector: string, text: string): void {
  const element = row.querySelector(selector);
  if (element) element.textContent = text;
}

function sizeOf(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
