import { expect, test } from 'vitest';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { isMediaLink, mediaUrl, thumbnailUrl } from './media-link.ts';

const config = testConfig();
const now = new Date('2026-11-20T01:00:00Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const id = 'A'.repeat(32);

function parts(url = mediaUrl(config, id, now)) {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  return {
    id: pathname.split('/').at(-1) ?? '',
    exp: searchParams.get('exp') ?? '',
    sig: searchParams.get('sig') ?? '',
    size: searchParams.get('size') ?? '',
  };
}

test('a link is good for ten minutes', () => {
  expect(isMediaLink(config, parts(), now)).toBe(true);
  expect(isMediaLink(config, parts(), later(9.99))).toBe(true);
  expect(isMediaLink(config, parts(), later(10))).toBe(false);
});

test('a link is for one file and one time, and only we can make it', () => {
  const good = parts();
  const forged = [
    { ...good, id: 'B'.repeat(32) },
    { ...good, exp: String(Number(good.exp) + 600) },
    { ...good, exp: `0${good.exp}` },
    { ...good, exp: 'Infinity' },
    { ...good, exp: '9'.repeat(40) },
    { ...good, sig: '' },
    { ...good, sig: good.sig.slice(0, -2) },
    { ...good, sig: `${good.sig}AA` },
    { id: good.id },
    parts(mediaUrl(testConfig(), id, now)),
  ];
  expect(forged.map((link) => isMediaLink(config, link, now))).toEqual(forged.map(() => false));
});

test('the link to a small picture is the same for an hour, and good for one hour more', () => {
  const atHalfPast = later(30);
  const link = thumbnailUrl(config, id, atHalfPast);
  expect(thumbnailUrl(config, id, later(59.9))).toBe(link);
  expect(thumbnailUrl(config, id, later(60))).not.toBe(link);
  expect(isMediaLink(config, parts(link), later(119.9))).toBe(true);
  expect(isMediaLink(config, parts(link), later(120))).toBe(false);
});

test('the link to a small picture opens the small picture alone, and that to the file the file alone', () => {
  const small = parts(thumbnailUrl(config, id, now));
  expect([small.size, isMediaLink(config, small, now)]).toEqual(['thumb', true]);
  expect(isMediaLink(config, { ...small, size: '' }, now)).toBe(false);
  expect(isMediaLink(config, { ...parts(), size: 'thumb' }, now)).toBe(false);
});
