import { expect, test } from 'vitest';
import { fileNameFor } from '#api/businesses/safe-file.ts';

test.each([
  ['kitchen.jpg', 'image/jpeg', 'kitchen.jpg'],
  ['Kitchen.JPEG', 'image/jpeg', 'Kitchen.jpeg'],
  ['IMG_0042', 'image/png', 'IMG_0042.png'],
  ['plan v1.2', 'application/pdf', 'plan v1.2.pdf'],
  ['invoice.pdf.exe', 'application/pdf', 'invoice.pdf.exe.pdf'],
  ['photo.html', 'image/webp', 'photo.html.webp'],
  ['../../etc/passwd', 'image/png', 'passwd.png'],
  ['C:\\Users\\Jo\\tap.png', 'image/png', 'tap.png'],
  ['.htaccess', 'image/png', 'htaccess.png'],
  ['a\r\nSet-Cookie: x=1.png', 'image/png', 'a Set-Cookie x=1.png'],
  ['\u202Egpj.exe', 'image/jpeg', 'gpj.exe.jpg'],
  ['Küche – Tāwhiri 電話.jpg', 'image/jpeg', 'Küche – Tāwhiri 電話.jpg'],
  ['', 'image/png', 'file.png'],
  ['...', 'application/pdf', 'file.pdf'],
] as const)('%j of a %s is stored as %j', (given, type, name) => {
  expect(fileNameFor(given, type)).toBe(name);
});

test('a long name is cut, its ending is not', () => {
  expect(fileNameFor(`${'x'.repeat(300)}.png`, 'image/png')).toBe(`${'x'.repeat(80)}.png`);
});
