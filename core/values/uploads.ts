/** A logo as its owner chooses it: at most `bytes`; the messages stand at its field. */
export const logoUpload = {
  bytes: 2 * 1024 * 1024,
  types: ['image/png', 'image/jpeg', 'image/webp'],
  tooLarge: 'Use an image of at most 2 MB',
  wrongType: 'Use a PNG, JPEG or WebP image',
} as const;

/** What a customer may send with a request: `files` of at most `bytes` each. */
export const mediaUpload = {
  files: 5,
  bytes: 5 * 1024 * 1024,
  types: [...logoUpload.types, 'application/pdf'],
  tooMany: 'Add at most 5 files',
  tooLarge: 'Use files of at most 5 MB',
  wrongType: 'Use a PDF, or a PNG, JPEG or WebP image',
} as const;

/** Whether a file of this type can be shown as a picture. */
export function isPictureType(mime: string): boolean {
  return logoUpload.types.some((type) => type === mime);
}

/** Where browsers find a logo by its key in the file store; null for none. */
export function logoPath(key: string | null): string | null {
  return key === null ? null : `/logos/${encodeURIComponent(key)}`;
}
