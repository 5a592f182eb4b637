import type { JobView } from '#core/job/view.ts';
import { isPictureType } from '#core/values/uploads.ts';

/** A picture of a job. */
export type Photo = Readonly<{
  /** The same for as long as the file is; `url` is another one in each answer, and good for ten minutes. */
  key: string;
  url: string;
  /** The link to its small picture, as good as `url`. */
  thumb: string;
  /** Its accessible name: `Photo 2 of 4, from Aroha`. */
  label: string;
  /** First name of who took it, and the full one. */
  from: string;
  by: string;
  at: string;
}>;

export type JobFile = JobView['media'][number];

type Source = Pick<JobView, 'media' | 'name' | 'createdAt'>;

/** A job's pictures, and its other files, each in the order in which they came. All came with the customer's request. */
export function photosOf({ media, name, createdAt }: Source): {
  photos: readonly Photo[];
  documents: readonly JobFile[];
} {
  const pictures = media.filter(isPicture);
  const from = name.trim().split(/\s+/)[0] ?? name;
  const photos = pictures.map(({ url, thumb }, at) => ({
    ...{ key: url.split('?', 1)[0] ?? url, url, thumb: thumb ?? url, from, by: name, at: createdAt },
    label: `Photo ${at + 1} of ${pictures.length}, from ${from}`,
  }));
  return { photos, documents: media.filter((file) => !isPicture(file)) };
}

function isPicture({ mime }: JobFile): boolean {
  return isPictureType(mime);
}

/** The link that each photo is shown by, by the photo's key; without one where it could not be loaded. */
export type ShownLinks = Readonly<Record<string, string>>;

/**
 * Each photo's link after another answer, or after `failed` could not be loaded. A link that works stays, because another one
 * would load the same picture again. Gives `before` itself where nothing changes.
 */
export function shownLinks(
  before: ShownLinks,
  photos: readonly Pick<Photo, 'key' | 'url'>[],
  failed: readonly string[],
): ShownLinks {
  const after: Record<string, string> = {};
  for (const { key, url } of photos) {
    const link = [before[key], url].find((one) => one !== undefined && !failed.includes(one));
    if (link !== undefined) after[key] = link;
  }
  const keys = Object.keys(after);
  const isSame =
    keys.length === Object.keys(before).length && keys.every((key) => after[key] === before[key]);
  return isSame ? before : after;
}
