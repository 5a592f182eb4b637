import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync, deflateSync, inflateSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

/** What a camera writes into a picture that no other person should read. */
export const secretOfCamera = 'GPS 37.7667 S 144.9597 E';

/** A PNG of coloured noise, so that it does not compress to nothing. */
export function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const row = 1 + width * 3;
  const raw = new Uint8Array(row * height);
  for (let at = 0; at < raw.length; at += 1)
    raw[at] = at % row === 0 ? 0 : ((at * 2_654_435_761) >>> 13) & 0xff;
  return pngOf(width, height, { depth: 8, colour: 2 }, raw);
}

/** A PNG of one colour, one bit for a pixel: a few thousand bytes for as many millions of pixels as you like. */
export function pictureBomb(side: number): Uint8Array<ArrayBuffer> {
  return pngOf(side, side, { depth: 1, colour: 0 }, new Uint8Array((1 + Math.ceil(side / 8)) * side));
}

/** A drawing without a ground: a black square in the middle of nothing, as CAD programs save one. */
export function lineDrawing(side: number): Uint8Array<ArrayBuffer> {
  const row = 1 + side * 4;
  const raw = new Uint8Array(row * side);
  for (let y = side / 4; y < (side * 3) / 4; y += 1)
    for (let x = side / 4; x < (side * 3) / 4; x += 1) raw[y * row + 1 + x * 4 + 3] = 255;
  return pngOf(side, side, { depth: 8, colour: 6 }, raw);
}

/** What is seen at a place of a picture, as grey from 0 to 255: where it is transparent, of a black ground. */
export async function greyAt(picture: Uint8Array, x: number, y: number): Promise<number> {
  const png = Buffer.from(await new Bun.Image(picture).png({ compressionLevel: 0 }).bytes());
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const pixel = y * (1 + png.readUInt32BE(16) * 4) + 1 + x * 4;
  const [red = 0, green = 0, blue = 0, alpha = 0] = inflateSync(Buffer.concat(parts)).subarray(pixel);
  return Math.round((((red + green + blue) / 3) * alpha) / 255);
}

/** The PNG with a camera's word before its pixels that it is to be turned, as EXIF counts orientations. */
export function turnedPng(png: Uint8Array, orientation: number): Uint8Array<ArrayBuffer> {
  const HEADER = 33;
  return bytesOf(png.subarray(0, HEADER), chunk('eXIf', tiffOf(orientation)), png.subarray(HEADER));
}

/** The same of a JPEG. */
export function turnedJpeg(jpeg: Uint8Array, orientation: number): Uint8Array<ArrayBuffer> {
  const payload = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiffOf(orientation)]);
  return bytesOf(Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, payload.length + 2]), payload, jpeg.subarray(2));
}

function tiffOf(orientation: number): Buffer {
  const tiff = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0?\0\0\0\0\0\0', 'latin1');
  tiff[19] = orientation;
  return tiff;
}

/** A WebP of two pictures, one after the other. */
export async function movingWebp(): Promise<Uint8Array<ArrayBuffer>> {
  const still = (await webp(8, 8)).subarray(12);
  const header = Buffer.from([2, 0, 0, 0, 7, 0, 0, 7, 0, 0]);
  const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 7, 0, 0, 7, 0, 0, 100, 0, 0, 0]), still]);
  const part = (name: string, content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    return Buffer.concat([Buffer.from(name), length, content]);
  };
  const frames = [part('ANMF', frame), part('ANMF', frame)];
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    part('VP8X', header),
    part('ANIM', Buffer.alloc(6)),
    ...frames,
  ]);
  return bytesOf(part('RIFF', body));
}

/** A JPEG that goes over its pixels so many times: most of its scans say that nothing changes. */
export async function jpegOfScans(scans: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = Buffer.from(await new Bun.Image(png(64, 64)).jpeg({ progressive: true }).bytes());
  const last = whole.lastIndexOf(Buffer.from([0xff, 0xda]));
  const again = whole.subarray(last, -2);
  return bytesOf(whole.subarray(0, -2), ...Array.from({ length: scans }, () => again), whole.subarray(-2));
}

export async function jpeg(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Bun.Image(png(width, height)).jpeg({ quality: 80 }).bytes());
}

export async function webp(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Bun.Image(png(width, height)).webp().bytes());
}

/** The JPEG with an EXIF segment: it lies on its side (orientation 6) and says where it was taken. */
export function withExif(jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  const note = Buffer.from(`${secretOfCamera}\0`, 'latin1');
  const tiff = Buffer.alloc(8 + 2 + 24 + 4);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(2, 8);
  tiff.set([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0], 10);
  tiff.set([0x82, 0x98, 0, 2], 22);
  tiff.writeUInt32BE(note.length, 26);
  tiff.writeUInt32BE(tiff.length, 30);
  const payload = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, note]);
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 4);
  return bytesOf(head, payload, jpeg.subarray(2));
}

export function bytesOf(...parts: readonly (Uint8Array | string)[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
  );
}

/** A PDF of half a kilobyte. */
export const pdf = bytesOf('%PDF-1.7\n1 0 obj\n', 'x'.repeat(500), '\n%%EOF\n');

/** A file as a browser sends it in JSON. */
export function dataUrl(bytes: Uint8Array, type = 'image/png'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

type Pixels = Readonly<{ depth: number; colour: number }>;

function pngOf(width: number, height: number, { depth, colour }: Pixels, raw: Uint8Array) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour], 8);
  const signature = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return bytesOf(
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  );
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

export const hostileScript = '<script>alert(document.domain)</script>';

export type HostileFile = Readonly<{ name: string; bytes: Uint8Array<ArrayBuffer> }>;

/** Files that are no picture, whatever they call themselves. */
export const noPictures: readonly HostileFile[] = [
  { name: 'logo.svg', bytes: bytesOf(`<svg xmlns="http://www.w3.org/2000/svg">${hostileScript}</svg>`) },
  { name: 'svg as logo.png', bytes: bytesOf(`<?xml version="1.0"?><svg onload="alert(1)"></svg>`) },
  { name: 'gif and html', bytes: bytesOf(`GIF89a/*`, new Uint8Array(8), `*/=1;${hostileScript}`) },
  { name: 'page.html', bytes: bytesOf(`<!doctype html>${hostileScript}`) },
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
    { name: 'the first bytes of a PNG', bytes: bytesOf(wholePng.subarray(0, 8), hostileScript) },
    { name: 'the first bytes of a JPEG', bytes: bytesOf(wholeJpeg.subarray(0, 3), hostileScript) },
    { name: 'a PNG with other bytes inside', bytes: scrambled(wholePng) },
  ];
}

/** A picture that is a page too, for a reader that skips its beginning. */
export async function polyglots(): Promise<HostileFile[]> {
  return [
    { name: 'a PNG with a page behind it', bytes: bytesOf(png(80, 60), hostileScript) },
    { name: 'a JPEG with a page behind it', bytes: bytesOf(await jpeg(80, 60), hostileScript) },
  ];
}

export const bomb: HostileFile = { name: '16,000 by 16,000 pixels', bytes: pictureBomb(16_000) };

function scrambled(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = bytesOf(bytes);
  for (let at = 60; at < 120; at += 1) copy[at] = (copy[at] as number) ^ 0xff;
  return copy;
}

/** The entries of a ZIP by name, in its order, each checked against its checksum. Throws for what is no whole ZIP. */
export async function unzip(archive: Uint8Array): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(archive));
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} is not what its checksum says`);
    if (entries.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`);
    entries.set(entry.fileName, content);
  }
  return entries;
}

const run = 'window.__x=1';

/** Texts that become script wherever a developer forgets that they are text. Each sets `window.__x` if it runs. */
export const xssPayloads: readonly string[] = [
  `<script>${run}</script>`,
  `"><script>${run}</script>`,
  `'><script>${run}</script>`,
  `</title><script>${run}</script>`,
  `</textarea><script>${run}</script>`,
  `</script><script>${run}</script>`,
  `<!--><script>${run}</script>-->`,
  `<ScRiPt>${run}</sCrIpT>`,
  `<script/x>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `"><img src=x onerror=${run}>`,
  `<img src="x" onerror="${run}"`,
  `<svg onload=${run}>`,
  `<svg/onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin=${run} attributeName=x>`,
  `<math><mtext><img src=x onerror=${run}></mtext></math>`,
  `<body onload=${run}>`,
  `<iframe srcdoc="<script>parent.${run}</script>">`,
  `<iframe src="javascript:parent.${run}">`,
  `<object data="javascript:${run}">`,
  `<embed src="javascript:${run}">`,
  `<a href="javascript:${run}">x</a>`,
  `javascript:${run}`,
  `java\tscript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `<input autofocus onfocus=${run}>`,
  `" autofocus onfocus=${run} x="`,
  `' autofocus onfocus=${run} x='`,
  `<details open ontoggle=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<form><button formaction="javascript:${run}">x</button></form>`,
  `<base href="//evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${run}">`,
  `<link rel=stylesheet href="data:text/css,*{x:expression(${run})}">`,
  `<style>@import "javascript:${run}";</style>`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>"></noscript>`,
];
