import type { BackupPlace, BackupSettings } from '#api/runtime/config/backup.ts';
import { folderTarget } from './folder.ts';
import { s3Target } from './s3.ts';
import type { BackupTarget } from './target.ts';

/** The target at a place. Throws RangeError for a bucket without keys to reach it. */
export function openTarget(place: BackupPlace, { s3 }: Pick<BackupSettings, 's3'>): BackupTarget {
  if (place.kind === 'folder') return folderTarget(place.folder);
  if (s3 === null) throw new RangeError('a bucket needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  return s3Target(place, s3);
}
