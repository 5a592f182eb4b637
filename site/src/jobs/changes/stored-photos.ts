import type { PhotoStage } from '#core/job/photos/photo-stages.ts';
import { photosMark } from '#site/lib/offline/marks.ts';
import { sealedTable } from '#site/lib/offline/sealed-table.ts';

/**
 * A photo that is to be sent. `photoId` is 32 hexadecimal digits, `at` ms since the epoch, `account` who took it; `isDraft` while it is
 * still open what it shows.
 */
export type WaitingPhoto = Readonly<{
  photoId: string;
  jobId: string;
  account: string;
  stage: PhotoStage;
  caption: string;
  file: Blob;
  at: number;
  isDraft?: true;
}>;

const table = sealedTable('ute.photos', { keyPath: 'photoId', mark: photosMark });

/** Photos that are not sent yet, in the browser's database: they outlive the page and a lost session, not a logout. */
export const waitingPhotos = {
  async put(photo: WaitingPhoto): Promise<void> {
    await table.put({ id: photo.photoId, account: photo.account }, await packed(photo));
  },
  remove: table.remove,
  /** Those of an account, the oldest first. */
  async all(account: string): Promise<WaitingPhoto[]> {
    const photos = (await table.all(account)).map(unpacked);
    return photos.filter((photo) => photo.account === account).toSorted((a, b) => a.at - b.at);
  },
  ids: table.ids,
  forget: table.forget,
};

/** The bytes of what is said of a photo: their count in four bytes, then they, then those of the picture. */
export async function packed({ file, ...photo }: WaitingPhoto): Promise<Uint8Array<ArrayBuffer>> {
  const said = new TextEncoder().encode(JSON.stringify({ ...photo, type: file.type }));
  const bytes = new Uint8Array(4 + said.length + file.size);
  new DataView(bytes.buffer).setUint32(0, said.length);
  bytes.set(said, 4);
  bytes.set(new Uint8Array(await file.arrayBuffer()), 4 + said.length);
  return bytes;
}

export function unpacked(bytes: Uint8Array): WaitingPhoto {
  const from = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const { type, ...photo } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, from)));
  return { ...photo, file: new Blob([bytes.slice(from)], { type }) };
}
