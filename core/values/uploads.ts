const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

export type PictureType = (typeof pictureTypes)[number];

/** A logo as its owner chooses it: at most `bytes`; the messages stand at its field. */
export const logoUpload = {
  bytes: 2 * 1024 * 1024,
  /** What is stored of it, in pixels of the longer side. */
  side: 512,
  types: pictureTypes,
  tooLarge: 'Use an image of at most 2 MB',
  wrongType: 'Use a PNG, JPEG or WebP image',
} as const;

/** What a customer may send with a request: `files` of at most `bytes` each. */
export const mediaUpload = {
  files: 5,
  bytes: 5 * 1024 * 1024,
  types: [...pictureTypes, 'application/pdf'],
  tooMany: 'Add at most 5 files',
  tooLarge: 'Use files of at most 5 MB',
  wrongType: 'Use a PDF, or a PNG, JPEG or WebP image',
  lost: 'One of your files was lost, please add it again',
} as const;

/** How long a file waits for a job or a brand to use it, in milliseconds. */
export const unusedFileLife = 24 * 60 * 60_000;

/** Why a picture is not taken, of a customer or of a business. */
export const pictureProblems = {
  damaged: 'This image is damaged, please use another one',
  'too large': 'This image is too large, please use a smaller one',
  'too slow': 'This image took too long, please use a smaller one',
  'too complex': 'This image is saved in an unusual way, please save it again as a plain JPEG or PNG',
  moving: 'This image moves, please use a still one',
} as const;

/** How a sentence about `count` photos of a customer begins that stayed behind as the request was sent. */
export function unsentWords(count: number): string {
  return `${count} ${count === 1 ? 'photo' : 'photos'} did not come through`;
}

/** Whether a file of this type can be shown as a picture. */
export function isPictureType(mime: string | null): mime is PictureType {
  return pictureTypes.some((type) => type === mime);
}

/** Where browsers find a logo by its key in the file store; null for none. */
export function logoPath(key: string | null): string | null {
  return key === null ? null : `/logos/${encodeURIComponent(key)}`;
}
