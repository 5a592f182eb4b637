import { type PhotoStage, photoStageLabels } from '#core/job/photos/photo-stages.ts';
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
  /** Of a photo that the tradie took: what it shows, and by which id it is removed. */
  work?: Readonly<{ id: string; stage: PhotoStage; caption: string }>;
}>;

export type JobFile = JobView['media'][number];

type Source = Pick<JobView, 'media' | 'photos' | 'name' | 'createdAt'>;

/** A job's pictures, the tradie's newest first and then the customer's, and its other files, each in their order. */
export function photosOf({ media, photos: taken, name, createdAt }: Source): {
  photos: readonly Photo[];
  documents: readonly JobFile[];
} {
  const pictures = media.filter(isPicture);
  const from = name.trim().split(/\s+/)[0] ?? name;
  const count = (taken?.length ?? 0) + pictures.length;
  const number = (at: number) => `Photo ${at + 1} of ${count}`;
  // A copy that an earlier release stored on this device has none.
  const ours = (taken ?? []).toReversed().map(({ id, url, thumb, stage, caption, addedAt }, at): Photo => {
    const shows = photoStageLabels[stage];
    return {
      ...{ key: id, url, thumb, from: shows, by: 'You', at: addedAt, work: { id, stage, caption } },
      label: `${number(at)}${caption ? `: ${caption}` : ''}, ${shows.toLowerCase()}`,
    };
  });
  const theirs = pictures.map(({ url, thumb }, at): Photo => {
    const key = url.split('?', 1)[0] ?? url;
    const label = `${number(ours.length + at)}, from ${from}`;
    return { key, url, thumb: thumb ?? url, from, by: name, at: createdAt, label };
  });
  const photos = [...ours, ...theirs];
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
