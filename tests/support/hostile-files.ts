import { deflateRawSync } from 'node:zlib';
import { bytesOf, jpeg, pictureBomb, png, webp } from './pictures.ts';

const SCRIPT = '<script>alert(document.domain)</script>';

export type HostileFile = Readonly<{ name: string; bytes: Uint8Array<ArrayBuffer> }>;

/** Files that are no picture, whatever they call themselves. */
export const noPictures: readonly HostileFile[] = [
  { name: 'logo.svg', bytes: bytesOf(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`) },
  { name: 'svg as logo.png', bytes: bytesOf(`<?xml version="1.0"?><svg onload="alert(1)"></svg>`) },
  { name: 'gif and html', bytes: bytesOf(`GIF89a/*`, new Uint8Array(8), `*/=1;${SCRIPT}`) },
  { name: 'page.html', bytes: bytesOf(`<!doctype html>${SCRIPT}`) },
  { name: 'setup.exe', bytes: bytesOf('MZ', new Uint8Array(200), 'This program cannot be run in DOS mode.') },
  {
    name: 'zip bomb',
    bytes: bytesOf('PK\x03\x04', new Uint8Array(26), deflateRawSync(new Uint8Array(10_000_000))),
  },
  { name: 'a bitmap', bytes: bytesOf('BM', new Uint8Array(100)) },
  { name: 'one byte', bytes: bytesOf('x') },
];

/** Pictures that were cut off or changed on the way. */
export async function damagedPictures(): Promise<HostileFile[]> {
  const cut = (bytes: Uint8Array) => bytesOf(bytes.subarray(0, Math.floor(bytes.length * 0.6)));
  const [wholePng, wholeJpeg, wholeWebp] = [png(80, 60), await jpeg(80, 60), await webp(80, 60)];
  return [
    { name: 'half a PNG', bytes: cut(wholePng) },
    { name: 'half a JPEG', bytes: cut(wholeJpeg) },
    { name: 'half a WebP', bytes: cut(wholeWebp) },
    { name: 'the first bytes of a PNG', bytes: bytesOf(wholePng.subarray(0, 8), SCRIPT) },
    { name: 'the first bytes of a JPEG', bytes: bytesOf(wholeJpeg.subarray(0, 3), SCRIPT) },
    { name: 'a PNG with other bytes inside', bytes: scrambled(wholePng) },
  ];
}

/** A picture that is a page too, for a reader that skips its beginning. */
export async function polyglots(): Promise<HostileFile[]> {
  return [
    { name: 'a PNG with a page behind it', bytes: bytesOf(png(80, 60), SCRIPT) },
    { name: 'a JPEG with a page behind it', bytes: bytesOf(await jpeg(80, 60), SCRIPT) },
  ];
}

export const bomb: HostileFile = { name: '16,000 by 16,000 pixels', bytes: pictureBomb(16_000) };
export { SCRIPT as hostileScript };

function scrambled(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = bytesOf(bytes);
  for (let at = 60; at < 120; at += 1) copy[at] = (copy[at] as number) ^ 0xff;
  return copy;
}
