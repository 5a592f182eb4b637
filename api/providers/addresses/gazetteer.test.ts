import { expect, test } from 'vitest';
import { suburbIn } from '#core/values/place.ts';
import { gazetteerAddresses } from './gazetteer.ts';
import { formatAddress, places } from './places.ts';

const texts = async (query: string) =>
  (await gazetteerAddresses.suggest(query, null)).map(({ address }) => address);

test.each([
  ['12 smith st fitz', '12 Smith Street, Fitzroy VIC, Australia'],
  ['12 smith st, fitzroy vic 3065', '12 Smith Street, Fitzroy VIC 3065, Australia'],
  ['12 Smith Street, Fitzroy VIC 3065, Australia', '12 Smith Street, Fitzroy VIC 3065, Australia'],
  ['22/140 lygon st brunswick east', '22/140 Lygon Street, Brunswick East VIC, Australia'],
  ['unit 3 / 88a nicholson st fitzroy north', 'Unit 3/88A Nicholson Street, Fitzroy North VIC, Australia'],
  ['5 the esplanade st kilda', '5 The Esplanade, Saint Kilda VIC, Australia'],
  ['9 smith st st kilda', '9 Smith Street, Saint Kilda VIC, Australia'],
  ['15 jervois rd ponsonby', '15 Jervois Road, Ponsonby, Auckland, New Zealand'],
  ['3 mt eden rd mt eden auckland', '3 Mt Eden Road, Mount Eden, Auckland, New Zealand'],
  ['7 weston st brunswick wa', '7 Weston Street, Brunswick WA, Australia'],
  ['1 smith st richmond', '1 Smith Street, Richmond VIC, Australia'],
])('%s is understood', async (typed, address) => {
  expect((await texts(typed))[0]).toBe(address);
});

test.each([
  'smith st fitzroy',
  '12',
  '12 smith',
  '12 smith st',
  '12 smith st xyzzy',
  '',
  '¿',
  '12 '.repeat(60),
])('%j suggests nothing', async (typed) => {
  expect(await texts(typed)).toEqual([]);
});

test('a suggestion is found again, as exact as its place', async () => {
  const [first] = await gazetteerAddresses.suggest('12 smith st fitz', null);
  expect(await gazetteerAddresses.find(first?.id ?? '', null)).toEqual({
    ...{ placeId: first?.id, address: first?.address, formatted_address: first?.address },
    ...{ lat: -37.79839, lng: 144.97833, precision: 'locality' },
  });
});

test.each(['', 'gz_', 'gz_!!', 'ChIJ123', `gz_${btoa('1,2||x')}`, `gz_${btoa('-37.79839,144.97833||a\nb')}`])(
  'no address has the id %j',
  async (id) => {
    expect(await gazetteerAddresses.find(id, null)).toBeNull();
  },
);

test('knows the places of both countries and no others', async () => {
  const known = await places();
  expect(known.length).toBeGreaterThan(4_000);
  expect(known.every(({ lat, lng }) => lat < -8 && (lng > 112 || lng < -175))).toBe(true);
  expect(known.every(({ country, region }) => country === 'nz' || /^[A-Z]{2,3}$/.test(region))).toBe(true);
});

test('every place that it has is a suburb that cards and alerts name', async () => {
  const unnamed = (await places()).filter(
    (place) => suburbIn(formatAddress('12 Smith Street', place, '3000')) !== place.name,
  );
  expect(unnamed.map(({ name, region }) => `${name} ${region}`)).toEqual([]);
});
