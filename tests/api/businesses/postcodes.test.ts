import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { filePostcodes, placeOf, rangePostcodes } from '#api/providers/postcodes/postcodes.ts';
import { stretches } from '#api/providers/postcodes/range-table.ts';
import { regions } from '#core/values/region.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';

const folder = tempFolder('postcodes');
afterAll(() => folder.remove());

describe('without a file', () => {
  test('every stretch of numbers has its place in the gazetteer', async () => {
    const lost: string[] = [];
    for (const region of regions) {
      for (const stretch of stretches[region]) {
        if (stretch.name !== null && !(await placeOf(stretch, region)))
          lost.push(`${region} ${stretch.name}`);
      }
    }
    expect(lost).toEqual([]);
  });

  test.each([
    ['au', '3057', 'Brunswick', 'VIC'],
    ['au', '0822', 'Darwin', 'NT'],
    ['au', '2602', 'Canberra', 'ACT'],
    ['au', '2300', 'Newcastle', 'NSW'],
    ['au', '4999', null, ''],
    ['au', '9999', null, ''],
    ['au', '0000', null, ''],
    ['nz', '8014', 'Christchurch', 'Canterbury'],
    ['nz', '9016', 'Dunedin', 'Otago'],
    ['nz', '0622', 'Takapuna', 'Auckland'],
    ['nz', '5510', 'Levin', 'Manawatu-Wanganui'],
    ['nz', '9999', null, ''],
  ] as const)('in %s, %s is near %s', async (region, postcode, name, state) => {
    const found = await rangePostcodes.find(postcode, region);
    if (name === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ name, state, precision: 'area' });
  });
});

describe('with GeoNames’ file', () => {
  const line = (...fields: string[]) => fields.join('\t');
  const path = join(folder.path, 'postal.txt');
  writeFileSync(
    path,
    [
      line('AU', '3056', 'Brunswick', 'Victoria', 'VIC', '', '', '', '', '-37.7667', '144.9667', '4'),
      line('AU', '3056', 'Brunswick North', 'Victoria', 'VIC', '', '', '', '', '-37.7567', '144.9567', '4'),
      line('NZ', '8011', 'Christchurch', 'Canterbury', 'E9', '', '', '', '', '-43.53', '172.64', '4'),
      line('US', '8011', 'Elsewhere', '', '', '', '', '', '', '1', '1', '4'),
      line('AU', '3999', 'Nowhere', 'Victoria', 'VIC', '', '', '', '', '', '', ''),
      'not a line',
      '',
    ].join('\n'),
  );

  test('a postcode lies in the middle of its places, in its own country', async () => {
    const postcodes = filePostcodes(path);
    expect(await postcodes.find('3056', 'au')).toEqual({
      ...{ name: 'Brunswick', state: 'VIC', lat: -37.7617, lng: 144.9617, precision: 'exact' },
    });
    expect(await postcodes.find('8011', 'nz')).toMatchObject({ name: 'Christchurch', state: 'Canterbury' });
    for (const unknown of ['3999', '8011', '1234']) expect(await postcodes.find(unknown, 'au')).toBeNull();
  });

  test('a file that is not there fails, and is looked for again', async () => {
    const late = join(folder.path, 'late.txt');
    const postcodes = filePostcodes(late);
    await expect(postcodes.find('3056', 'au')).rejects.toThrow();
    writeFileSync(
      late,
      line('AU', '3056', 'Brunswick', 'Victoria', 'VIC', '', '', '', '', '-37.7', '144.9', '4'),
    );
    expect(await postcodes.find('3056', 'au')).not.toBeNull();
  });
});
