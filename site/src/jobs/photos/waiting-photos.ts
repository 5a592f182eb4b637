import type { PhotoStage } from '#core/job/photo-stages.ts';
import { browserTable, done } from '#site/lib/offline/copy-store.ts';
import { photosMark } from '#site/lib/offline/drafts.ts';

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

/** The name of the database in the browser. */
const photosDatabase = 'ute.photos';
const { open } = browserTable(photosDatabase, 'waiting', { keyPath: 'photoId' });

/** Photos that are not sent yet, in the browser's database: they outlive the page and a lost session, not a logout. */
export const waitingPhotos = {
  async put(photo: WaitingPhoto): Promise<void> {
    localStorage.setItem(photosMark, '1');
    await done((await open('readwrite')).put(photo));
  },
  async remove(photoId: string): Promise<void> {
    await done((await open('readwrite')).delete(photoId));
  },
  /** Those of an account, the oldest first. */
  async all(account: string): Promise<WaitingPhoto[]> {
    const stored: WaitingPhoto[] = await done((await open('readonly')).getAll());
    if (stored.length === 0) localStorage.removeItem(photosMark);
    return stored.filter((photo) => photo.account === account).toSorted((a, b) => a.at - b.at);
  },
  /** Removes those of every account: the account logs out. */
  async clear(): Promise<void> {
    await done((await open('readwrite')).clear());
    localStorage.removeItem(photosMark);
  },
};
