import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useState } from 'react';
import { logoUpload } from '#core/values/uploads.ts';
import { photoQueue, type QueuedPhoto } from '#site/jobs/changes/photo-queue.ts';
import { $isOnline } from '#site/lib/http/api.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { followQueue, nothingSent, queueInWords, waysMeanwhile } from './queue-words.ts';

type AddProps = Readonly<{ label: string; className?: string; onChoose(files: File[]): void }>;

/** What opens the camera or the library: a tile, unless it looks otherwise. */
export function AddPhoto({ label, className = 'thumb2 thumb2--add', onChoose }: AddProps) {
  return (
    <label className={className}>
      <Icon name="camera" className="icon--lg" />
      <span>{label}</span>
      <input
        className="sr"
        type="file"
        accept={logoUpload.types.join()}
        multiple
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** A picture that is still on this device. */
export function Preview({ file, label }: Readonly<{ file: Blob; label: string }>) {
  const url = useMemo(() => URL.createObjectURL(file), [file]);
  // The address holds the whole file in memory until it is given back.
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img src={url} alt={label} width="96" height="96" />;
}

/** Whether photos get through: a browser may report a network where there is no signal, but not where one is being sent. */
function useSignal(): boolean {
  const isOnline = useStore($isOnline, { ssr: 'initial' });
  const photos = useStore(photoQueue.$photos, { ssr: () => [] });
  const isSending = photos.some(({ percent = 0 }) => percent > 0);
  return isOnline && (isSending || !photos.some(({ isUnanswered }) => isUnanswered));
}

/** The photos of a job that are not sent yet. */
export function QueuedTiles({ jobId }: Readonly<{ jobId: string }>) {
  const hasSignal = useSignal();
  return useStore(photoQueue.$photos, { ssr: () => [] })
    .filter((photo) => photo.jobId === jobId && !photo.isDraft)
    .map((photo) => (
      <li key={photo.photoId}>
        <QueuedTile photo={photo} hasSignal={hasSignal} />
      </li>
    ));
}

function QueuedTile({ photo, hasSignal }: Readonly<{ photo: QueuedPhoto; hasSignal: boolean }>) {
  const { photoId, file, percent, problem } = photo;
  if (problem !== undefined) {
    return (
      <span className="thumb2 is-failed">
        <Preview file={file} label="" />
        <button className="thumb2__state" type="button" onClick={() => photoQueue.retry(photoId)}>
          <Icon name="refresh-cw" />
          <span>Try again</span>
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
            <Icon name={hasSignal ? 'clock' : 'cloud-off'} />
            <span>Waiting</span>
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
  const photos = useStore(photoQueue.$photos, { ssr: () => [] }).filter(
    (photo) => photo.jobId === jobId && !photo.isDraft,
  );
  const problems = [...new Set(photos.flatMap(({ problem }) => problem ?? []))];
  const sending = photos.filter(({ percent }) => percent !== undefined).length;
  const waiting = photos.filter(
    ({ percent, problem }) => percent === undefined && problem === undefined,
  ).length;
  const [before, setBefore] = useState(nothingSent);
  const followed = followQueue(before, photos);
  if (followed !== before) setBefore(followed);
  const isStored = useStore(photoQueue.$isStored, { ssr: 'initial' });
  const words = queueInWords({ sent: followed.sent, sending, waiting }, useSignal());
  return (
    <>
      <p className={words ? 'photo-line' : 'sr'} role="status">
        {words && (
          <>
            <Icon name="cloud-upload" />
            <span>
              <b>{`${words}.`}</b>
              <span>{` ${waysMeanwhile(isStored)}`}</span>
            </span>
          </>
        )}
      </p>
      {problems.map((problem) => (
        <p key={problem} className="field__error" role="alert">
          <Icon name="circle-alert" className="icon--sm" />
          <span>{problem}</span>
        </p>
      ))}
    </>
  );
}
