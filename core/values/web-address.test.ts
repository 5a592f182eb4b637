import { expect, test } from 'vitest';
import { namesAnAddress } from './web-address.ts';

test.each([
  'Fixit.com.au',
  'www.fixit.example',
  'https://fixit',
  'Pay at bit.ly/abc',
  'Plumb.it',
  'Ring bob@fixit',
  'ｆｉｘｉｔ．ｃｏｍ',
  'fix\u200bit.com',
  'fixit.plumbing',
  'fixit.Com.Au',
  'FIXIT.PLUMBING',
  'Go to fixit.online',
  'Sparks.Online',
])('%s names an address', (name) => {
  expect(namesAnAddress(name)).toBe(true);
});

test.each([
  'Acme Plumbing Pty. Ltd.',
  'J.B. Smith & Co. Plumbing',
  'St.Kilda Electrical',
  'A.B.C. Tiling',
  'A.J.Plumbing',
  'Smith Bros.Builders',
  'J.R.Services',
  'A.C.T.Plumbing',
  'Hōne & Sons',
  'No. 1 Roofing',
  '24/7 Plumbers @ Work',
  'Dot Com Cleaning',
])('%s is a name', (name) => {
  expect(namesAnAddress(name)).toBe(false);
});
