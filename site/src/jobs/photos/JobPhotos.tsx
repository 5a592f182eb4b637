import '#site/ui/photo-tiles.css';
import './job-photos.css';
import { useStore } from '@nanostores/react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { hidesContact } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { photoQueue } from '#site/jobs/changes/photo-queue.ts';
import { jobDetails } from '#site/jobs/job-stores.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { AddPhoto, QueuedTiles, QueueLine } from './AddPhoto.tsx';
import { $askingForAfter, stopAsking } from './after-photos.ts';
import { ChosenPhotos, useChosenPhotos } from './ChosenPhotos.tsx';
import { DescribePhoto, removePhoto } from './DescribePhoto.tsx';
import { AskForAfterPhotos } from './PhotoSheet.tsx';
import type { PhotoViewer } from './PhotoViewer.tsx';
import { type Photo, photosOf, type ShownLinks, shownLinks } from './photos-of.ts';

type Props = Readonly<{ job: JobView; timeZone: string | undefined; className?: string }>;

/** Photos can be added once the job is accepted, and while its customer's details are there. */
function takesPhotos({ status, erasedAt }: JobView): boolean {
  return !hidesContact(status) && !erasedAt;
}

/** The photos of a job as pictures, with the way to add some, and its other files as links. */
export function JobPhotos({ job, timeZone, className = '' }: Props) {
  const { photos, documents } = photosOf(job);
  const canAdd = takesPhotos(job);
  return (
    <>
      {(photos.length > 0 || canAdd) && (
        <section className={`card job-photos ${className}`} aria-labelledby="photos">
          <h2 id="photos">
            <span>{'Photos '}</span>
            {photos.length > 0 && <span className="job-photos__n num">{photos.length}</span>}
          </h2>
          <PhotoRow job={job} photos={photos} timeZone={timeZone} />
          {canAdd && <QueueLine jobId={job.id} />}
        </section>
      )}
      {documents.length > 0 && (
        <section className={`card job-photos ${className}`} aria-labelledby="documents">
          <h2 id="documents">Uploaded documents</h2>
          <div className="files">
            {documents.map(({ url, name }) => (
              <a key={url} className="file" href={url}>
                <Icon name="file-text" />
                <span className="file__name">{name}</span>
              </a>
            ))}
          </div>
        </section>
      )}
    </>
  );
}

type RowProps = Pick<Props, 'job' | 'timeZone'> & { photos: readonly Photo[] };

function PhotoRow({ job, photos, timeZone }: RowProps) {
  const row = useRef<HTMLUListElement>(null);
  const whole = useLinks(job.id, photos);
  const small = useLinks(
    job.id,
    photos.map(({ key, thumb }) => ({ key, url: thumb })),
  );
  const { opened, Viewer, open, close } = useViewer(row);
  const choice = useChosenPhotos(job);
  const sent = useStore(photoQueue.$sent, { ssr: () => [] });
  const [described, setDescribed] = useState<Photo['work'] | null>(null);
  const isAsking = useStore($askingForAfter, { ssr: () => null }) === job.id;
  const isCompleted = job.status === 'Completed';
  // Once the completion is taken back there is nothing to ask.
  useEffect(() => {
    if (isAsking && !isCompleted) stopAsking();
  }, [isAsking, isCompleted]);
  return (
    <>
      <ul className="thumbs thumbs--lg" aria-label="Photos" ref={row}>
        {takesPhotos(job) && (
          <>
            <li>
              <AddPhoto label="Add photo" onChoose={(files) => void choice.choose(files)} />
            </li>
            <QueuedTiles jobId={job.id} />
          </>
        )}
        {photos.map((photo, at) => (
          <li key={photo.key} data-photo>
            <Tile
              photo={photo}
              isSent={photo.work !== undefined && sent.includes(photo.work.id)}
              link={small.links[photo.key]}
              onOpen={() => timeZone !== undefined && open(at)}
              onFail={small.onFail}
              onRetry={small.onRetry}
            />
          </li>
        ))}
      </ul>
      {choice.isOpen && (
        <ChosenPhotos
          choice={choice}
          onDone={() => row.current?.querySelector<HTMLElement>('input[type="file"]')?.focus()}
        />
      )}
      {isAsking && isCompleted && !choice.isOpen && (
        <AskForAfterPhotos onChoose={(files) => void choice.choose(files)} />
      )}
      {described && <DescribePhoto jobId={job.id} work={described} onClose={() => setDescribed(null)} />}
      {Viewer && opened !== null && timeZone && (
        <Viewer
          {...{ title: job.title, photos, timeZone, ...whole }}
          thumbs={small.links}
          first={opened}
          onRemove={(work) => void removePhoto(job.id, work)}
          onDescribe={setDescribed}
          onClose={close}
        />
      )}
    </>
  );
}

type TileProps = Readonly<{
  photo: Photo;
  /** Whether it went up from this page just now. */
  isSent: boolean;
  link: string | undefined;
  onOpen(): void;
  onFail(link: string): void;
  onRetry(): void;
}>;

/** A link to the file itself, which opens the viewer; where the picture could not be loaded, the way to try that again. */
function Tile({ photo, isSent, link, onOpen, onFail, onRetry }: TileProps) {
  if (!link) {
    return (
      <button
        className="thumb2 is-failed"
        type="button"
        aria-label={`${photo.label}: try again`}
        onClick={onRetry}
      >
        <span className="thumb2__state">
          <Icon name="refresh-cw" />
          <span>Try again</span>
        </span>
      </button>
    );
  }
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a
      className="thumb2"
      href={photo.url}
      aria-label={isSent ? `${photo.label}, sent` : photo.label}
      onClick={onClick}
    >
      <img
        src={link}
        alt=""
        width="96"
        height="96"
        loading="lazy"
        decoding="async"
        onError={() => onFail(link)}
      />
      <span className="thumb2__by">
        {isSent && <Icon name="check" className="icon--sm" />}
        <span>{photo.from}</span>
      </span>
    </a>
  );
}

/** The viewer, which loads with the first photo that is opened. */
function useViewer(row: { current: HTMLElement | null }) {
  const [Viewer, setViewer] = useState<typeof PhotoViewer | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const tileAt = (at: number) => row.current?.querySelectorAll('[data-photo]')[at];
  async function open(at: number): Promise<void> {
    try {
      const module = await import('./PhotoViewer.tsx');
      setViewer(() => module.PhotoViewer);
      setOpened(at);
    } catch {
      // In a dead spot the browser saves the file, as its link does without a script.
      const tile = tileAt(at)?.querySelector('a');
      if (tile) location.assign(tile.href);
    }
  }
  function close(last: number): void {
    setOpened(null);
    tileAt(last)?.querySelector<HTMLElement>('a, button')?.focus();
  }
  return { Viewer, opened, open, close };
}

/** The links that the photos are shown by. A link is good for ten minutes: where one fails, the job's next answer has another. */
function useLinks(jobId: string, photos: readonly Pick<Photo, 'key' | 'url'>[]) {
  const [held, setHeld] = useState<ShownLinks>({});
  const [failed, setFailed] = useState<readonly string[]>([]);
  const wasRefreshed = useRef(false);
  const links = shownLinks(held, photos, failed);
  if (links !== held) setHeld(links);
  return {
    links,
    onFail(link: string): void {
      setFailed((before) => [...before, link]);
      const hasNewer = photos.every(({ url }) => url !== link);
      if (hasNewer || wasRefreshed.current) return;
      wasRefreshed.current = true;
      void jobDetails(jobId).refresh();
    },
    onRetry(): void {
      void jobDetails(jobId)
        .refresh()
        .then(() => setFailed([]));
    },
  };
}
