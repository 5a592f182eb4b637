import '#site/ui/form/field.css';
import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import type { PhotoStage } from '#core/job/photos/photo-stages.ts';
import type { JobStatus } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import {
  holdDrafts,
  type PhotoDescription,
  photoQueue,
  type QueuedPhoto,
} from '#site/jobs/changes/photo-queue.ts';
import { pictureToSend } from '#site/lib/files.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { ignoreSecondTap } from '#site/ui/screen-store.ts';
import { AddPhoto, Preview } from './AddPhoto.tsx';
import { WhatPhotosShow } from './DescribePhoto.tsx';
import { PhotoSheet } from './PhotoSheet.tsx';

/** What the status says of when a photo is taken most likely. */
function usualStage(status: JobStatus): PhotoStage {
  if (status === 'In progress') return 'during';
  return status === 'To quote' || status === 'Quoted' ? 'before' : 'after';
}

type Choice = Readonly<{
  isOpen: boolean;
  /** The photos that are described. */
  drafts: readonly QueuedPhoto[];
  /** How many are still made smaller. */
  preparing: number;
  description: PhotoDescription;
  choose(files: readonly File[]): Promise<void>;
  describe(description: PhotoDescription): void;
  close(): void;
  /** Takes all of them out, those still made smaller too. */
  discard(): void;
}>;

/**
 * The photos of a job between the camera and the queue: the browser stores them from the moment they are chosen, and they go up once they
 * were described, however that ends. What is preset is enough.
 */
export function useChosenPhotos({ id: jobId, status }: Pick<JobView, 'id' | 'status'>): Choice {
  const [description, setDescription] = useState<PhotoDescription | null>(null);
  const [preparing, setPreparing] = useState(0);
  const drafts = useStore(photoQueue.$photos, { ssr: () => [] }).filter(
    (photo) => photo.jobId === jobId && photo.isDraft,
  );
  // As it stands now, for what is prepared while the sheet changes or closes.
  const now = useRef<Readonly<{ description: PhotoDescription; isOpen: boolean }>>(undefined);
  const letGo = useRef(() => {});

  function describe(next: PhotoDescription): void {
    now.current = { description: next, isOpen: true };
    setDescription(next);
  }

  async function choose(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    if (!now.current?.isOpen) {
      letGo.current = holdDrafts();
      describe({ stage: usualStage(status), caption: '' });
    }
    setPreparing((before) => before + files.length);
    for (const file of files) {
      const { file: photo } = await pictureToSend(file);
      if (now.current?.isOpen) await photoQueue.draft(jobId, [photo], now.current.description);
      else if (now.current) await photoQueue.add(jobId, [photo], now.current.description);
      setPreparing((before) => before - 1);
    }
  }

  const close = useCallback(() => {
    if (!now.current?.isOpen) return;
    const last = trimmed(now.current.description);
    now.current = { description: last, isOpen: false };
    setDescription(null);
    void photoQueue.release(jobId, last).finally(letGo.current);
  }, [jobId]);

  function discard(): void {
    now.current = undefined;
    setDescription(null);
    const dropped = drafts.map(({ photoId }) => photoQueue.drop(photoId));
    void Promise.allSettled(dropped).finally(letGo.current);
  }

  useEffect(() => void photoQueue.start(), []);
  useEffect(() => close, [close]);
  const isOpen = description !== null;
  const isEmpty = drafts.length === 0 && preparing === 0;
  useEffect(() => {
    if (isOpen && isEmpty) close();
  }, [isOpen, isEmpty, close]);
  // What was typed outlives the page as the photos do.
  useEffect(() => {
    if (!description) return;
    const timer = setTimeout(() => void photoQueue.describe(jobId, trimmed(description)), typingPause);
    return () => clearTimeout(timer);
  }, [jobId, description]);
  return {
    isOpen,
    drafts,
    preparing,
    description: description ?? { stage: 'during', caption: '' },
    choose,
    describe,
    close,
    discard,
  };
}

const trimmed = ({ stage, caption }: PhotoDescription): PhotoDescription => ({
  stage,
  caption: caption.trim(),
});

/** Milliseconds without a key, after which what was typed is stored. */
const typingPause = 500;

/**
 * What the chosen photos show, over the page and not in its way: the bar below stays, and a tradie who goes on with the job adds the
 * photos as they are.
 */
export function ChosenPhotos({ choice, onDone }: Readonly<{ choice: Choice; onDone(): void }>) {
  const { drafts, preparing, description, choose, describe, close, discard } = choice;
  const [isAsking, setAsking] = useState(false);
  const sheet = useRef<HTMLElement | null>(null);
  const id = useId();
  const count = drafts.length + preparing;
  const photos = count === 1 ? '1 photo' : `${count} photos`;

  function finish(): void {
    close();
    onDone();
  }

  function ask(): void {
    // What had the focus may go with the question.
    sheet.current?.focus();
    setAsking(!isAsking);
  }

  function leaveOut(): void {
    ignoreSecondTap();
    discard();
    onDone();
  }

  function takeOut(photoId: string): void {
    void photoQueue.drop(photoId);
    if (drafts.length === 1 && preparing === 0) onDone();
    else sheet.current?.focus();
  }

  return (
    <PhotoSheet title={photos} describedBy={id} sheet={sheet} onClose={ask} onLeave={close}>
      <form
        className="photo-sheet__form"
        onSubmit={(event) => {
          event.preventDefault();
          ignoreSecondTap();
          finish();
        }}
      >
        {isAsking ? (
          <p id={id} className="photo-sheet__hint" role="alert">
            {count === 1 ? 'Add this photo to the job?' : `Add these ${photos} to the job?`}
          </p>
        ) : (
          <div className="photo-sheet__body">
            <ul className="thumbs" aria-label="Photos to add">
              {drafts.map(({ photoId, file }, at) => (
                <li key={photoId}>
                  <span className="thumb2">
                    <Preview file={file} label="" />
                    <button
                      className="thumb2__x"
                      type="button"
                      aria-label={`Take out photo ${at + 1}`}
                      onClick={() => takeOut(photoId)}
                    >
                      <span>
                        <Icon name="x" className="icon--sm" />
                      </span>
                    </button>
                  </span>
                </li>
              ))}
              {preparing > 0 && (
                <li>
                  <span className="thumb2">
                    <span className="thumb2__state">Getting ready</span>
                  </span>
                </li>
              )}
              <li>
                <AddPhoto label="One more" onChoose={(files) => void choose(files)} />
              </li>
            </ul>
            <WhatPhotosShow description={description} legend="These show the job" onChange={describe} />
            <p className="field__hint" id={id}>
              Going on with the job adds them too. Without signal they wait on this device and go up by
              themselves.
            </p>
          </div>
        )}
        <div className={isAsking ? 'photo-sheet__foot photo-sheet__foot--2' : 'photo-sheet__foot'}>
          {isAsking && (
            <button className="btn btn--secondary btn--lg" type="button" onClick={leaveOut}>
              Leave out
            </button>
          )}
          <button className="btn btn--primary btn--lg" type="submit">{`Add ${photos}`}</button>
        </div>
      </form>
    </PhotoSheet>
  );
}
