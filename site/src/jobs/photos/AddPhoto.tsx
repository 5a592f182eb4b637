import { useStore } from '@nanostores/react';
import { useEffect, useMemo } from 'react';
import type { PhotoStage } from '#core/job/photo-stages.ts';
import type { JobStatus } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { logoUpload } from '#core/values/uploads.ts';
import { drawnWithin, sentPictures, smallerOf } from '#site/lib/files.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { photoQueue, type QueuedPhoto } from './photo-queue.ts';

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

/** A picture that is still on this device. */
export function Preview({ file, label }: Readonly<{ file: Blob; label: string }>) {
  const url = useMemo(() => URL.createObjectURL(file), [file]);
  // The address holds the whole file in memory until it is given back.
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img src={url} alt={label} width="96" height="96" />;
}

/** The photos of a job that are not sent yet. */
export function QueuedTiles({ jobId }: Readonly<{ jobId: string }>) {
  return useStore(photoQueue.$photos, { ssr: () => [] })
    .filter((photo) => photo.jobId === jobId)
    .map((photo) => (
      <li key={photo.photoId}>
        <QueuedTile photo={photo} />
      </li>
    ));
}

function QueuedTile({ photo }: Readonly<{ photo: QueuedPhoto }>) {
  const { photoId, file, percent, problem } = photo;
  if (problem !== undefined) {
    return (
      <span className="thumb2 is-failed">
        <Preview file={file} label="" />
        <button className="thumb2__state" type="button" onClick={() => photoQueue.retry(photoId)}>
          <Icon name="refresh-cw" />
          Try again
        </button>
        <button
          className="thumb2__x"
          type="button"
          aria-label="Take out this photo"
          onClick={() => void photoQueue.drop(photoId)}
        >
          <span>
            <Icon name="x" className="icon--sm" />
          </span>
        </button>
      </span>
    );
  }
  return (
    <span className="thumb2">
      <Preview file={file} label="" />
      <span className="thumb2__state">
        {percent === undefined ? (
          <>
            <Icon name="cloud-off" />
            Waiting
          </>
        ) : (
          `${percent} %`
        )}
      </span>
      {percent !== undefined && (
        <span className="thumb2__bar">
          <i style={{ inlineSize: `${percent}%` }} />
        </span>
      )}
    </span>
  );
}

/** How far the photos of a job are, read out once for each change of a number. */
export function QueueLine({ jobId }: Readonly<{ jobId: string }>) {
  const photos = useStore(photoQueue.$photos, { ssr: () => [] }).filter((photo) => photo.jobId === jobId);
  const problems = [...new Set(photos.flatMap(({ problem }) => problem ?? []))];
  const sending = photos.filter(({ percent }) => percent !== undefined).length;
  const waiting = photos.filter(
    ({ percent, problem }) => percent === undefined && problem === undefined,
  ).length;
  const counts = [sending > 0 && `${sending} sending`, waiting > 0 && `${waiting} waiting for signal`].filter(
    Boolean,
  );
  return (
    <>
      <p className={counts.length > 0 ? 'photo-line' : 'sr'} role="status">
        {counts.length > 0 && (
          <>
            <Icon name="cloud-upload" />
            <span>
              <b>{counts.join(', ')}.</b> You can leave this page. They go up by themselves.
            </span>
          </>
        )}
      </p>
      {problems.map((problem) => (
        <p key={problem} className="field__error" role="alert">
          <Icon name="circle-alert" className="icon--sm" />
          {problem}
        </p>
      ))}
    </>
  );
}
