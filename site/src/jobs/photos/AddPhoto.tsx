import { useEffect } from 'react';
import type { PhotoStage } from '#core/job/photo-stages.ts';
import type { JobStatus } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { logoUpload } from '#core/values/uploads.ts';
import { drawnWithin, sentPictures, smallerOf } from '#site/lib/drawn-within.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { photoQueue } from './photo-queue.ts';

/** What the status says of when a photo is taken most likely. */
function usualStage(status: JobStatus): PhotoStage {
  if (status === 'In progress') return 'during';
  return status === 'To quote' || status === 'Quoted' ? 'before' : 'after';
}

/**
 * The tile that opens the camera or the library. What was chosen goes up at once, so that it costs one tap; what a photo shows
 * is said in the viewer.
 */
export function AddPhoto({ job }: Readonly<{ job: Pick<JobView, 'id' | 'status'> }>) {
  useEffect(() => void photoQueue.start(), []);
  async function add(files: readonly File[]): Promise<void> {
    const said = { stage: usualStage(job.status), caption: '' };
    for (const file of files) await photoQueue.add(job.id, [await prepared(file)], said);
  }
  return (
    <label className="thumb2 thumb2--add">
      <Icon name="camera" className="icon--lg" />
      Add photo
      <input
        className="sr"
        type="file"
        accept={logoUpload.types.join()}
        multiple
        onChange={({ currentTarget }) => {
          void add([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** As it is sent: a phone's large picture in the size that is needed. One that cannot be drawn is the server's to judge. */
async function prepared(file: File): Promise<Blob> {
  if (file.size <= sentPictures.small) return file;
  const canvas = await drawnWithin(file, sentPictures.longest).catch(() => null);
  return canvas ? smallerOf(file, canvas) : file;
}
