import { expect, test } from 'vitest';
import { photosOf, shownLinks } from './photos-of.ts';

const file = (id: string, mime = 'image/webp', exp = 1) => ({
  ...{ url: `/api/media/${id}?exp=${exp}&sig=s`, name: `${id}.webp`, mime },
  thumb: mime.startsWith('image/') ? `/api/media/${id}?exp=${exp}&sig=s&size=thumb` : null,
});
const job = { name: 'Aroha Tāwhiri', createdAt: '2026-01-04T07:40:00.000Z' };

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
