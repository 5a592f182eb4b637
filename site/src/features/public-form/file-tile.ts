/** A file in the list, as the customer sees it. */
export type FileTile = Readonly<{
  row: HTMLElement;
  setName(name: string): void;
  /** Shows a small picture in place of the sign; `src` is an address or a data URL. */
  setPicture(src: string): void;
  /** What it waits for; empty once it is up. */
  setState(words: string): void;
}>;

/** A tile made of the page's template, with a button that takes the file out; null where the page has none. */
export function fileTile(template: Node | null | undefined, onRemove: () => void): FileTile | null {
  const row = template?.cloneNode(true);
  if (!(row instanceof HTMLElement)) return null;
  const button = row.querySelector('button');
  button?.addEventListener('click', onRemove);
  return {
    row,
    setName(name) {
      write(row, '.thumb2__by', name);
      button?.setAttribute('aria-label', `Remove ${name}`);
    },
    setPicture(src) {
      const shown = row.querySelector('img');
      const picture = shown ?? Object.assign(new Image(96, 96), { alt: '' });
      picture.src = src;
      if (!shown) row.querySelector('.icon')?.replaceWith(picture);
      row.querySelector('.thumb2__by')?.classList.add('sr');
    },
    setState: (words) => write(row, '.thumb2__state', words),
  };
}

/** Writes a text into a part of the page, where it is there. */
export function write(within: Element, selector: string, text: string): void {
  const element = within.querySelector(selector);
  if (element) element.textContent = text;
}
