import { mediaUpload } from '#core/values/uploads.ts';
import type { Outcome } from '#site/lib/http/fetch-outcome.ts';
import { isListOf, isRecord, isText, orMissing, readShaped } from '#site/lib/shape.ts';
import { showProblem } from '#site/ui/plain-form/form-messages.ts';
import { upload } from '#site/ui/plain-form/send.ts';
import type { Prepared } from './prepare-file.ts';

type Item = {
  name: string;
  file: Blob | null;
  id: string | null;
  /** A small picture of it as a data URL; null where there is none. */
  preview: string | null;
  isPrepared: boolean;
  row: HTMLElement;
};

/** The files of the form. They go up while the rest is typed, one after the other. */
export type FilesField = Readonly<{
  /** Waits until every file is up: the ids to send along, in the order of the list. */
  uploaded(): Promise<Outcome<readonly string[]>>;
  /** The small pictures of what goes along, in the order of the list. */
  previews(): readonly string[];
  /** What of it survives a reload, as text; and how that comes back. */
  stored(): string;
  restore(stored: string | undefined): void;
  /** Puts them into the form itself, which sends them along without script. */
  handOver(): void;
  /** The server has lost one: those that are still here go up again, the others leave the list. */
  startOver(): void;
}>;

/** A file that was sent before a reload: its name, its id and its small picture are stored. */
const areStored = isListOf(isRecord({ name: isText, id: isText, preview: orMissing(isText) }));

/** Loaded with the first touch of the form: a dead spot may come before the first photo. */
const loadPrepare = () => import('./prepare-file.ts');

/** A file as it is, where what makes it smaller could not be loaded. The server judges it. */
async function prepare(file: File): Promise<Prepared> {
  const module = await loadPrepare().catch(() => null);
  if (module) return module.prepare(file);
  if (file.size > mediaUpload.bytes) return { problem: mediaUpload.tooLarge };
  return { file, name: file.name, preview: null };
}

/** `onChange` is called when what is to be stored changes. */
export function filesField(form: HTMLFormElement, slug: string, onChange: () => void): FilesField {
  const field = form.querySelector<HTMLElement>('[data-files]');
  const input = field?.querySelector<HTMLInputElement>('input[type="file"]');
  const list = field?.querySelector('ul');
  const template = field?.querySelector('template')?.content.firstElementChild;
  let items: Item[] = [];
  let problems: readonly string[] = [];
  let preparing = Promise.resolve();
  let running: Promise<Outcome<readonly string[]>> | undefined;

  if (field && input) {
    field.classList.add('is-listed');
    form.addEventListener('focusin', () => void loadPrepare().catch(() => {}), { once: true });
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
        return;
      }
      const item = put({ name: file.name, file, id: null, preview: null, isPrepared: false });
      if (!item) return;
      const whole = URL.createObjectURL(file);
      if (file.type.startsWith('image/')) showPreview(item, whole);
      preparing = preparing.then(() => ready(item, file)).finally(() => URL.revokeObjectURL(whole));
    }
  }

  async function ready(item: Item, file: File): Promise<void> {
    if (!items.includes(item)) return;
    const prepared = await prepare(file).catch((): Prepared => ({ problem: mediaUpload.wrongType }));
    if (!items.includes(item)) return;
    if ('problem' in prepared) {
      drop(item);
      return refuse(`${file.name}: ${prepared.problem}`);
    }
    Object.assign(item, prepared, { isPrepared: true });
    showName(item);
    if (item.preview) showPreview(item, item.preview);
    void uploaded();
  }

  function put(shown: Omit<Item, 'row'>): Item | null {
    const row = template?.cloneNode(true);
    if (!(row instanceof HTMLElement)) return null;
    const item: Item = { ...shown, row };
    row.querySelector('button')?.addEventListener('click', () => {
      clearProblems();
      drop(item);
      input?.focus();
    });
    items.push(item);
    // The tile that adds is the last one.
    list?.insertBefore(row, list.lastElementChild);
    showName(item);
    showState(item);
    if (item.preview) showPreview(item, item.preview);
    return item;
  }

  function showName({ row, name }: Item): void {
    write(row, '.thumb2__by', name);
    row.querySelector('button')?.setAttribute('aria-label', `Remove ${name}`);
  }

  function showPreview({ row }: Item, src: string): void {
    const shown = row.querySelector('img');
    const picture = shown ?? Object.assign(new Image(96, 96), { alt: '' });
    picture.src = src;
    if (!shown) row.querySelector('.icon')?.replaceWith(picture);
    row.querySelector('.thumb2__by')?.classList.add('sr');
  }

  function showState({ row, id }: Item, waiting = 'Getting ready'): void {
    write(row, '.thumb2__state', id === null ? waiting : '');
    showCount();
  }

  function showCount(): void {
    if (field) write(field, '[data-add]', items.length === 0 ? 'Add photos' : 'Add more');
  }

  function drop(item: Item): void {
    items = items.filter((other) => other !== item);
    item.row.remove();
    showCount();
    onChange();
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
        showState(item, 'Waiting');
        return outcome;
      }
    }
    return { kind: 'ok', payload: items.flatMap(({ id }) => id ?? []) };
  }

  const waiting = () =>
    items.find(
      (item): item is Item & { file: Blob } => item.id === null && item.file !== null && item.isPrepared,
    );

  return {
    uploaded: () => preparing.then(uploaded),
    previews: () => items.flatMap(({ preview }) => preview ?? []),
    stored: () =>
      JSON.stringify(
        items.flatMap(({ name, id, preview }) =>
          id === null ? [] : [{ name, id, ...(preview ? { preview } : {}) }],
        ),
      ),
    restore(stored) {
      for (const item of readShaped(stored ?? null, areStored) ?? [])
        put({ ...item, preview: item.preview ?? null, file: null, isPrepared: true });
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
        clearProblems();
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
