import { expect, test } from 'vitest';
import { tradingNameOf } from './trading-name.ts';

test.each([
  ['Mount Wellington Plumbing Pty Ltd', 'Mount Wellington Plumbing'],
  ['Kōwhai Cleaning Limited', 'Kōwhai Cleaning'],
  ['Swan River Glazing PTY. LTD.', 'Swan River Glazing'],
  ['Banksia Plumbing Proprietary Limited', 'Banksia Plumbing'],
  ['eCommerce Electrical Ltd', 'eCommerce Electrical'],
  ['McDonald & Sons', 'McDonald & Sons'],
])('%s stays in its own case, without its legal form', (registered, name) => {
  expect(tradingNameOf(registered)).toBe(name);
});

test.each([
  ['BANKSIA PLUMBING PTY LTD', 'Banksia Plumbing'],
  ['KŌWHAI CLEANING LIMITED', 'Kōwhai Cleaning'],
  ['DJ & R&J ELECTRICAL SERVICES PTY LTD', 'DJ & R&J Electrical Services'],
  ["O'BRIEN AND MCKENZIE OF HOBART", "O'Brien and McKenzie of Hobart"],
  ['ALL-WEATHER ROOFING', 'All-Weather Roofing'],
  ['THE TILE SHOP', 'The Tile Shop'],
  ["DAVE'S GARDENS", "Dave's Gardens"],
  ['smith  gas  fitting', 'Smith Gas Fitting'],
])('%s, in one case alone, gets one capital a word', (registered, name) => {
  expect(tradingNameOf(registered)).toBe(name);
});

test.each(['Limited', 'PTY LTD'])('a company that is called %s alone has a name', (registered) => {
  expect(tradingNameOf(registered)).not.toBe('');
});
