import { describe, expect, test } from 'vitest';
import { defaultLocation } from '#core/values/registration-steps.ts';
import { taglineOf, zoneOf } from './place-of-business.ts';

const at = (lat: number, lng: number) => ({ location: { ...defaultLocation, lat, lng } });

describe('the zone of a business is that of the centre of its area', () => {
  test.each([
    ['Brunswick', 'au', -37.767, 144.962, 'Australia/Melbourne'],
    ['Hobart', 'au', -42.88, 147.33, 'Australia/Hobart'],
    ['Broken Hill', 'au', -31.95, 141.46, 'Australia/Broken_Hill'],
    ['Coolangatta', 'au', -28.167, 153.537, 'Australia/Brisbane'],
    ['Tweed Heads', 'au', -28.19, 153.54, 'Australia/Sydney'],
    ['Perth', 'au', -31.95, 115.86, 'Australia/Perth'],
    ['Darwin', 'au', -12.46, 130.84, 'Australia/Darwin'],
    ['Lord Howe Island', 'au', -31.55, 159.08, 'Australia/Lord_Howe'],
    ['Christchurch', 'nz', -43.53, 172.64, 'Pacific/Auckland'],
    ['the Chathams', 'nz', -43.95, -176.55, 'Pacific/Chatham'],
  ] as const)('in %s', (_place, region, lat, lng, zone) => {
    expect(zoneOf(at(lat, lng), region)).toBe(zone);
  });

  test('and the usual one of its region while nothing was chosen, or far out at sea', () => {
    expect(zoneOf({ location: defaultLocation }, 'au')).toBe('Australia/Melbourne');
    expect(zoneOf({ location: defaultLocation }, 'nz')).toBe('Pacific/Auckland');
    expect(zoneOf(at(-40, 160), 'nz')).toBe('Pacific/Auckland');
  });
});

describe('the line under its name', () => {
  test.each([
    ['au', ['plumbing'], at(-37.767, 144.962), 'Plumbers, Brunswick VIC'],
    ['nz', ['cleaning', 'gardening'], at(-43.53, 172.64), 'Cleaners, Christchurch'],
    ['au', ['tiling'], { location: defaultLocation }, 'Tilers'],
    ['au', ['tiling'], at(-24, 126), 'Tilers'],
    ['nz', ['tiling'], at(-37.767, 144.962), 'Tilers'],
  ] as const)('%s %j', async (region, trades, where, line) => {
    expect(await taglineOf({ ...where, trades }, region)).toBe(line);
  });
});
