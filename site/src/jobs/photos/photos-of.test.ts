import { expect, test } from 'vitest';
import { photosOf, shownLinks } from './photos-of.ts';

const file = (id: string, mime = 'image/webp', exp = 1) => ({
  ...{ url: `/api/media/${id}?exp=${exp}&sig=s`, name: `${id}.webp`, mime },
  thumb: mime.startsWith('image/') ? `/api/media/${id}?exp=${exp}&sig=s&size=thumb` : null,
});
const job = { name: 'Aroha Tāwhiri', createdAt: '2026-01-04T07:40:00.000Z', photos: [] };

test('pictures are photos of the customer, and other files are documents', () => {
  const plan = file('plan', 'application/pdf');
  const { photos, documents } = photosOf({ ...job, media: [file('a'), plan, file('b', 'image/png')] });
  expect(documents).toEqual([plan]);
  expect(photos.map(({ key }) => key)).toEqual(['/api/media/a', '/api/media/b']);
  expect(photos[1]).toMatchObject({
    ...{ label: 'Photo 2 of 2, from Aroha', from: 'Aroha', by: 'Aroha Tāwhiri', at: job.createdAt },
    thumb: '/api/media/b?exp=1&sig=s&size=thumb',
  });
});

test('the tradie’s photos come first, the newest of them before the others, and say when they were taken', () => {
  const taken = (id: string, stage: 'before' | 'after', caption: string) => ({
    ...{ id, stage, caption, addedAt: '2026-01-05T01:00:00.000Z' },
    ...{ url: `/api/media/${id}?exp=1`, thumb: `/api/media/${id}?exp=1&size=thumb` },
  });
  const photos = [taken('p1', 'before', 'Rust'), taken('p2', 'after', '')];
  const shown = photosOf({ ...job, media: [file('a')], photos }).photos;
  expect(shown.map(({ label }) => label)).toEqual([
    'Photo 1 of 3, after',
    'Photo 2 of 3: Rust, before',
    'Photo 3 of 3, from Aroha',
  ]);
  expect(shown[1]).toMatchObject({ from: 'Before', by: 'You', work: { id: 'p1', caption: 'Rust' } });
  expect(shown[2]).not.toHaveProperty('work');
});

test('a link that works stays while answers bring others', () => {
  const photos = (exp: number) => photosOf({ ...job, media: [file('a', 'image/png', exp)] }).photos;
  const first = shownLinks({}, photos(1), []);
  expect(first).toEqual({ '/api/media/a': '/api/media/a?exp=1&sig=s' });
  expect(shownLinks(first, photos(2), [])).toBe(first);
});

test('a link that failed gives way to the newest, and to none where that failed too', () => {
  const photos = (exp: number) =>
    photosOf({ ...job, media: [file('a'), file('b', 'image/png', exp)] }).photos;
  const [old, fresh] = ['/api/media/b?exp=1&sig=s', '/api/media/b?exp=2&sig=s'];
  const first = shownLinks({}, photos(1), []);
  expect(shownLinks(first, photos(1), [old])).toEqual({ '/api/media/a': first['/api/media/a'] });
  expect(shownLinks(first, photos(2), [old])['/api/media/b']).toBe(fresh);
  expect(shownLinks(first, photos(2), [old, fresh])).not.toHaveProperty('/api/media/b');
});
