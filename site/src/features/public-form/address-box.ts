import { searchLength } from '#core/values/text.ts';
import type { AnswerOf, QueryOf } from '#site/lib/http/api.ts';
import { fetchOutcome } from '#site/lib/http/fetch-outcome.ts';
import { newId } from '#site/lib/secure/new-id.ts';
import { isNumber, isRecord, isText, orNull, readShaped } from '#site/lib/shape.ts';
import { type AddressRow, announcementOf, linesOf, markedIn, rowsOf } from '#site/ui/address/address-rows.ts';
import { createSearchTimer } from '#site/ui/form/search.ts';
import type { Place } from '#site/ui/plain-form/form-body.ts';

const isPlace = isRecord<Place>({
  ...{ address: isText, placeId: orNull(isText), lat: orNull(isNumber), lng: orNull(isNumber) },
});

/** The address of the form. */
export type AddressBox = Readonly<{
  /** What was chosen from the suggestions, until it is typed into again. */
  chosen(): Place | null;
  /** What of it survives a reload, as text; and how that comes back. The field's text is not in it. */
  stored(): string;
  restore(stored: string | undefined): void;
}>;

const plain: AddressBox = { chosen: () => null, stored: () => '', restore: () => undefined };

/** Suggests addresses below the field, as the Add-job form does. A choice is reported by the field's own `change`. */
export function addressBox(field: HTMLInputElement, slug: string): AddressBox {
  const combo = field.closest<HTMLElement>('.combo');
  const box = combo?.querySelector<HTMLElement>('.listbox');
  const list = box?.querySelector('ul');
  const note = box?.querySelector('p');
  const statusLine = combo?.querySelector('[role="status"]');
  const template = combo?.querySelector('template')?.content;
  if (!box || !list || !note || !statusLine || !template) return plain;

  let chosen: Place | null = null;
  let token = newId();
  let rows: readonly AddressRow[] = [];
  let active = -1;

  const search = createSearchTimer(async (text) => {
    // Who went on typing elsewhere before the pause was over waits for nothing.
    if (text === '' || document.activeElement !== field) return show(null, false);
    show(null, true);
    const found = await suggestPlaces(slug, text, token);
    if (field.value.trim() !== text || document.activeElement !== field) return;
    show({ text, found: found ?? [], hasFailed: found === null }, false);
  });

  field.autocomplete = 'off';
  field.setAttribute('role', 'combobox');
  field.setAttribute('aria-autocomplete', 'list');
  field.setAttribute('aria-controls', list.id);
  close();
  field.addEventListener('input', () => {
    chosen = null;
    if (field.value.trim().length < searchLength.min) close();
    search.type(field.value);
  });
  field.addEventListener('blur', close);
  field.addEventListener('keydown', (event) => {
    const { key } = event;
    if (box.hidden) return;
    const row = rows[active];
    if (key === 'ArrowDown' || key === 'ArrowUp') point(active + (key === 'ArrowDown' ? 1 : -1));
    else if (key === 'Escape') close();
    else if (key === 'Enter' && row) choose(row);
    else return;
    event.preventDefault();
  });
  // Pressing a row takes the focus from the field, which would close the list before the row is chosen.
  box.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const row = rows[[...list.children].findIndex((option) => option.contains(target as Node))];
    if (row) choose(row);
  });

  function show(suggested: Parameters<typeof rowsOf>[0], isPending: boolean): void {
    const words = announcementOf(suggested, isPending);
    rows = rowsOf(suggested);
    list?.replaceChildren(...rows.map(optionOf));
    if (note) note.textContent = words.note;
    if (note) note.hidden = words.note === '';
    if (statusLine) statusLine.textContent = words.spoken;
    open(suggested !== null || isPending);
    point(-1);
  }

  function optionOf(row: AddressRow, index: number): Node {
    const option = template
      ?.querySelector(row.id === null ? '[data-typed]' : '[data-found]')
      ?.cloneNode(true);
    if (!(option instanceof HTMLElement)) throw new Error('the page has no row for an address');
    option.id = `address-option-${index}`;
    const [first, rest] = row.id === null ? ['', row.address] : linesOf(row.address);
    const [before, marked, behind] = markedIn(first, field.value);
    const text = option.querySelector('span');
    const mark = document.createElement('mark');
    mark.textContent = marked;
    if (row.id !== null) text?.prepend(before, ...(marked ? [mark] : []), behind);
    const small = option.querySelector('small');
    if (small) small.textContent = rest;
    return option;
  }

  function point(index: number): void {
    active = index < -1 ? rows.length - 1 : index >= rows.length ? -1 : index;
    [...(list?.children ?? [])].forEach((option, at) => {
      option.setAttribute('aria-selected', String(at === active));
    });
    if (active < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', `address-option-${active}`);
  }

  function choose({ id, address }: AddressRow): void {
    close();
    search.type('');
    const here = id === null ? null : { address, placeId: id, lat: null, lng: null };
    take(here, address);
    if (id === null) return;
    const mine = token;
    token = newId();
    void findPlace(slug, { id, address }, mine).then((place) => {
      if (chosen === here) take(place, place.address);
    });
  }

  function take(place: Place | null, text: string): void {
    chosen = place;
    field.value = text;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }

  function open(isOpen: boolean): void {
    if (box) box.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
  }

  function close(): void {
    open(false);
    if (statusLine) statusLine.textContent = '';
    field.removeAttribute('aria-activedescendant');
  }

  const stillChosen = () => (chosen?.address === field.value ? chosen : null);
  return {
    chosen: stillChosen,
    stored: () => JSON.stringify(stillChosen()),
    restore(stored) {
      chosen = readShaped(stored ?? null, isPlace);
    },
  };
}

type Addresses = `/public-forms/${string}/addresses`;
export type Suggestion = AnswerOf<'GET', Addresses>['addresses'][number];

const addresses = (slug: string): Addresses => `/public-forms/${encodeURIComponent(slug)}/addresses`;

/** Street addresses that begin like the text, null where no provider answers. `token` names this round of typing. */
async function suggestPlaces(
  slug: string,
  text: string,
  token: string,
): Promise<readonly Suggestion[] | null> {
  const query = new URLSearchParams({ q: text, token } satisfies QueryOf<'GET', Addresses>);
  const found = await fetchOutcome(`${addresses(slug)}?${query}`);
  return found.kind === 'ok' ? found.payload.addresses : null;
}

/** Where a suggestion is. Its text alone where no provider answers: a lost connection prevents no choice. */
async function findPlace(slug: string, { id, address }: Suggestion, token: string): Promise<Place> {
  const query = new URLSearchParams({ token } satisfies QueryOf<'GET', `${Addresses}/${string}`>);
  const found = await fetchOutcome(`${addresses(slug)}/${encodeURIComponent(id)}?${query}`);
  if (found.kind !== 'ok') return { address, placeId: id, lat: null, lng: null };
  const { formatted_address, placeId, lat, lng } = found.payload.address;
  return { address: formatted_address, placeId, lat, lng };
}
