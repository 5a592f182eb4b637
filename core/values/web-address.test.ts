import { expect, test } from 'vitest';
import { namesAnAddress, spaced, webAddressesIn } from './web-address.ts';

test.each([
  'Fixit.com.au',
  'www.fixit.example',
  'https://fixit',
  'hxxps://fixit',
  'Pay at bit.ly/abc',
  'evil.top',
  'Evil.Top',
  'evil.top/pay',
  'Pay at 1.2.3.4/pay',
  '1.2.3.4',
  '１.２.３.４:8080',
  'evil.example/pay',
  'evil.test:8080',
  'evil。com',
  'evil｡com',
  'evil．com',
  'evil․com',
  'evil .com',
  'evil. com',
  'evil . com.au',
  'evil[.]com',
  'evil (dot) com',
  'evil dot com',
  'Plumb.it',
  'Ring bob@fixit',
  'ｆｉｘｉｔ．ｃｏｍ',
  'fix\u200bit.com',
  'fixit\u3164.com',
  'fixit.соm',
  'xn--80ak6aa92e.com',
  'аррӏе.com',
  'президент.рф',
  'fixit.xn--p1ai',
  'भारत.भारत',
  'fixit.plumbing',
  'Fixit.Plumbing',
  'A.J.plumbing',
  'A.J.Plumbing/pay',
  'J.Com',
  'Dr.Evil.Com',
  'fixit.Com.Au',
  'FIXIT.PLUMBING',
  'Go to fixit.online',
  'Sparks.Online',
])('%s names an address', (name) => {
  expect(namesAnAddress(name)).toBe(true);
});

test.each([
  'Acme Plumbing Pty. Ltd.',
  'ACME PLUMBING PTY.LTD.',
  'Acme Co.Ltd',
  'J.B. Smith & Co. Plumbing',
  'J.P. Smith',
  'J.P.Smith',
  'J.P.SMITH BUILDING',
  'St. John',
  'St.John',
  'St.Kilda Electrical',
  'St.Kilda/Prahran Plumbing',
  'Mt.Gravatt Gas',
  'Dr.Smith',
  'Dr. Drain',
  'Mr.Green Lawns',
  'D.Kim',
  'T.Vu Electrical',
  'A.B.C. Tiling',
  'A.J.Plumbing',
  'A.J.PLUMBING',
  'Smith Bros.Builders',
  'J.R.Services',
  'A.C.T.Plumbing',
  'Bob & Co.',
  'Bob & Co.Plumbing',
  'Hōne & Sons',
  'No. 1 Roofing',
  'No.1 Plumbing',
  'No.1/24 Builders',
  '3.5 Tonne Diggers',
  'A/C & Heating/Cooling',
  '24/7 Plumbers @ Work',
  '1.2.3 Cleaning',
  'Dot Com Cleaning',
  'Ph.D Pool Care',
  'O’Brien Electrical',
  'Kev’s Plumbing...and Gas',
  '山本工務店',
  'Tāwhiri & Whānau',
])('%s is a name', (name) => {
  expect(namesAnAddress(name)).toBe(false);
});

test('mail makes no link of a short form', () => {
  expect(spaced('A.J.Plumbing')).toBe('A.J. Plumbing');
  expect(spaced('Smith Bros.Builders')).toBe('Smith Bros. Builders');
  expect(spaced('D.Kim & Co.')).toBe('D. Kim & Co.');
});

test.each([
  ['Pay at evil.top/pay now', ['evil.top/pay']],
  ['1.2.3.4/pay', ['1.2.3.4/pay']],
  ['hxxp://evil', ['hxxp://evil']],
  ['evil.top', ['evil.top']],
  ['evil .com please', ['evil .com']],
  ['evil[.]com', ['evil[.]com']],
  ['t.me/bob', ['t.me/bob']],
  ['bob.plumbing/me?x=1', ['bob.plumbing/me?x=1']],
  ['aroha.com.Please ring', ['aroha.com']],
])('%j holds %j', (text, addresses) => {
  expect(webAddressesIn(text).map(([from, to]) => text.slice(from, to))).toEqual(addresses);
});

test.each([
  'hot water not working.please call.house is at the back',
  'Leaks.Me too. Done.It is wet, e.g.the sink and/or tap',
  'Pipe 1.2.3.4 and 2.5/3.5 m, 10.mm wide',
  'Unit 3/12 St.Kilda/Prahran',
  'at 5.pm or 9.am',
  'See dot points below. No.1 first',
])('%j holds none', (text) => {
  expect(webAddressesIn(text)).toEqual([]);
});
