import type { Deps } from '#api/deps.ts';
import { HttpError, invalid } from '#api/http/errors.ts';
import { logoUpload } from '#core/values/uploads.ts';
import { isPicture, isWhole, PictureError, redraw, sniff } from './picture.ts';
import { newFileId, recordFile } from './stored-files.ts';

const { tooLarge, wrongType } = logoUpload;
const reasons = {
  damaged: 'This image is damaged, please use another one',
  'too large': 'This image is too large, please use a smaller one',
  'too slow': 'This image took too long, please use a smaller one',
} as const;

/** 512 pixels to show; no more to begin with than fit into 64 MB of memory. */
const drawing = { side: 512, mostPixels: 4_096 * 4_096, type: 'image/webp' } as const;

/**
 * The bytes of a data URL such as `data:image/png;base64,…`. What it calls its type is not looked at: the bytes tell.
 * Throws 422 for anything else, 413 above 2 MiB.
 */
export function logoBytes(dataUrl: string): Uint8Array {
  const comma = dataUrl.indexOf(',');
  const isBase64 = /^data:[a-z0-9/+.-]{0,60};base64$/i.test(dataUrl.slice(0, Math.max(0, comma)));
  const encoded = dataUrl.slice(comma + 1);
  if (!isBase64 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) throw invalid({ logo: wrongType });
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > logoUpload.bytes) throw new HttpError(413, tooLarge, { fields: { logo: tooLarge } });
  return bytes;
}

/**
 * Keeps a logo as a WebP of at most 512 pixels, under a new id that cannot be guessed. It goes in a day unless
 * `keepLogo` says that it is shown. Throws 422 with `fields.logo` for what is no picture, or a damaged or huge one.
 */
export async function storeLogo(
  deps: Pick<Deps, 'db' | 'files' | 'now'>,
  businessId: string,
  bytes: Uint8Array,
): Promise<string> {
  const type = sniff(bytes);
  if (!isPicture(type)) throw invalid({ logo: wrongType });
  if (!isWhole(bytes, type)) throw invalid({ logo: reasons.damaged });
  const drawn = await redraw(bytes, drawing).catch(refuse);
  const id = newFileId();
  const file = { id, businessId, kind: 'logo', name: 'logo.webp', mime: drawing.type } as const;
  await recordFile(deps.db, { ...file, bytes: drawn.length }, deps.now());
  await deps.files.put(`logos/${id}`, drawn, drawing.type);
  return id;
}

function refuse(error: unknown): never {
  throw error instanceof PictureError ? invalid({ logo: reasons[error.reason] }) : error;
}
