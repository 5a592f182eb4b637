import { useStore } from '@nanostores/react';
import { photoQueue, type QueuedPhoto } from '#site/jobs/changes/photo-queue.ts';
import { $jobCards } from '#site/jobs/job-stores.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { changeQueue } from './browser-queue.ts';
import { photosInWords, sizeInWords, waitingState } from './waiting-words.ts';

/** Photos that wait as well, those of a job and a stage in one row: they go by themselves beside the changes. */
export function WaitingPhotos({ hasSignal }: Readonly<{ hasSignal: boolean }>) {
  const photos = useStore(photoQueue.$photos).filter(({ isDraft }) => !isDraft);
  const groups = Map.groupBy(photos, ({ jobId, stage }) => `${jobId} ${stage}`);
  return [...groups].map(([key, group]) => <Row key={key} photos={group} hasSignal={hasSignal} />);
}

function Row({ photos, hasSignal }: Readonly<{ photos: readonly QueuedPhoto[]; hasSignal: boolean }>) {
  const [first] = photos;
  const cards = useStore($jobCards);
  const changes = useStore(changeQueue.$changes);
  if (!first) return null;
  const { jobId } = first;
  const title = (cards[jobId] ?? changes.find((change) => change.jobId === jobId)?.job)?.title;
  const size = sizeInWords(photos.reduce((sum, { file }) => sum + file.size, 0));
  const what = photosInWords(photos.length, first.stage);
  const problem = photos.find((photo) => photo.problem)?.problem;
  const isSending = photos.some(({ percent }) => percent !== undefined);
  return (
    <li className={problem ? 'queued queued--problem' : 'queued'}>
      {isSending ? <span className="ring" /> : <Icon name="camera" />}
      <span>
        <b>{what}</b>
        <small>{problem ?? [title, size].filter(Boolean).join(', ')}</small>
        <small className="queued__state">
          {problem ? 'Needs you' : isSending ? 'Sending' : waitingState(hasSignal)}
        </small>
      </span>
      {!isSending && (
        <button
          className="btn btn--icon btn--quiet"
          type="button"
          aria-label={`Discard ${what}`}
          onClick={() => {
            for (const { photoId } of photos) void photoQueue.drop(photoId);
          }}
        >
          <Icon name="trash-2" />
        </button>
      )}
    </li>
  );
}
