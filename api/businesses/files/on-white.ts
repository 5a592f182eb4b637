import { crc32, deflateSync, inflateSync } from 'node:zlib';

const [SIGNATURE, HEADER, FRAME] = [8, 33, 12];
/** Bytes of a pixel with what shines through it, and without. */
const [RGBA, RGB] = [4, 3];

/**
 * A picture on a white ground. Takes a PNG as `Bun.Image` writes one at level 0: eight bits of red, green, blue and alpha, each row as it
 * is. What else the file says of it, such as its colours' profile, stays. Throws for any other PNG.
 */
export function onWhite(file: Uint8Array): Uint8Array {
  const png = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (png.readUInt16BE(24) !== 0x0806 || png[28] !== 0) throw new TypeError('not eight bits of RGBA');
  const others: Buffer[] = [];
  const pixels: Buffer[] = [];
  for (let at = HEADER; at < png.length; at += png.readUInt32BE(at) + FRAME) {
    const content = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const name = png.toString('latin1', at + 4, at + 8);
    if (name === 'IDAT') pixels.push(content);
    else if (pixels.length === 0) others.push(png.subarray(at, at + content.length + FRAME));
  }
  const header = Buffer.from(png.subarray(SIGNATURE + 8, SIGNATURE + 21));
  header[9] = 2;
  const laid = laidOnWhite(inflateSync(Buffer.concat(pixels)), width, height);
  return Buffer.concat([
    ...[png.subarray(0, SIGNATURE), chunk('IHDR', header), ...others],
    ...[chunk('IDAT', deflateSync(laid, { level: 0 })), chunk('IEND', Buffer.alloc(0))],
  ]);
}

/** Rows of RGBA as rows of RGB, each behind a byte that says how it is filtered: not at all. */
function laidOnWhite(rows: Buffer, width: number, height: number): Buffer {
  const laid = Buffer.alloc((1 + width * RGB) * height);
  let [from, to] = [0, 0];
  for (let row = 0; row < height; row += 1) {
    if (rows[from] !== 0) throw new TypeError('a row is filtered');
    from += 1;
    to += 1;
    for (const end = from + width * RGBA; from < end; from += RGBA, to += RGB) {
      const alpha = rows[from + 3] as number;
      for (let colour = 0; colour < RGB; colour += 1)
        laid[to + colour] = 255 - Math.round(((255 - (rows[from + colour] as number)) * alpha) / 255);
    }
  }
  return laid;
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(content.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
