import { unsentWords } from '#core/values/uploads.ts';
import { type SentRequest, sentRequest } from './sent-request.ts';

/** Fills in what this tab just sent. Without script, in another tab or after a reload the page has the reference alone. */
function show(page: HTMLElement, { values, at, previews, unsentFiles }: SentRequest): void {
  const isUrgent = values.isUrgent === 'on';
  const texts: Readonly<Record<string, string | undefined>> = {
    ...values,
    thanks: values.name ? `Thanks, ${values.name.trim().split(/\s+/)[0]}. ` : '',
    at: `, today ${clockTime(new Date(at))}`,
    unsent: unsentFiles > 0 ? unsentWords(unsentFiles) : '',
    when: [values.wishedTime, isUrgent ? 'urgent' : ''].filter(Boolean).join(', ').replace(/^u/, 'U'),
  };
  for (const place of page.querySelectorAll<HTMLElement>('[data-of]')) {
    const text = texts[place.dataset.of ?? ''] ?? '';
    place.textContent = text;
    const row = place.closest<HTMLElement>('[data-row]');
    if (row) row.hidden = text === '';
  }
  const list = page.querySelector('[data-previews]');
  previews.forEach((preview, at) => {
    const tile = Object.assign(document.createElement('span'), { className: 'thumb2' });
    const picture = Object.assign(new Image(96, 96), { src: preview });
    picture.alt = `Photo ${at + 1} of ${previews.length}`;
    tile.append(picture);
    const item = document.createElement('li');
    item.append(tile);
    list?.append(item);
  });
  if (list instanceof HTMLElement) list.hidden = previews.length === 0;
  for (const part of page.querySelectorAll<HTMLElement>('[data-sent-part]'))
    part.hidden = part.dataset.sentPart === 'urgent' && !isUrgent;
}

/** As on every page: "8:40AM", by the clock of this device. */
function clockTime(at: Date): string {
  const hour = at.getHours();
  return `${hour % 12 || 12}:${String(at.getMinutes()).padStart(2, '0')}${hour < 12 ? 'AM' : 'PM'}`;
}

for (const page of document.querySelectorAll<HTMLElement>('[data-sent]')) {
  const sent = sentRequest(page.dataset.sent ?? '').take();
  const isToday = sent && new Date(sent.at).toDateString() === new Date().toDateString();
  if (isToday && sent.reference === page.dataset.reference) show(page, sent);
}
