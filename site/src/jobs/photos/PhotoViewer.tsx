import './photo-viewer.css';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { browserValues } from '#site/lib/browser-storage.ts';
import { formatMoment } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { dialogClosed, dialogOpened } from '#site/ui/screen-store.ts';
import { type Swipe, usePhotoGestures } from './gestures.ts';
import type { Photo, ShownLinks } from './photos-of.ts';

type Props = Readonly<{
  /** The title of their job. */
  title: string;
  photos: readonly Photo[];
  links: ShownLinks;
  thumbs: ShownLinks;
  first: number;
  timeZone: string;
  /** Loads again what could not be loaded. */
  onRetry(): void;
  onFail(link: string): void;
  /** Of a photo that the tradie took: removes it, and asks what it shows. Either closes the viewer. */
  onRemove(work: NonNullable<Photo['work']>): void;
  onDescribe(work: NonNullable<Photo['work']>): void;
  /** Called once it is closed, with the place of the photo that was shown last. */
  onClose(last: number): void;
}>;

/** What keys do: how many photos on, and how many times larger. */
const steps: Readonly<Record<string, number>> = {
  ...{ ArrowRight: 1, ArrowLeft: -1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY },
};
const factors: Readonly<Record<string, number>> = { '+': 1.5, '=': 1.5, '-': 1 / 1.5 };

/** Photos over the whole screen, by touch, mouse and keyboard. Always dark, so that nothing shines beside a photo. */
export function PhotoViewer({ title, photos, first, onRemove, onDescribe, onClose, ...rest }: Props) {
  const [at, setAt] = useState(first);
  const [hasHint] = useState(isHintDue);
  const dialog = useRef<HTMLDialogElement | null>(null);
  const stage = useRef<HTMLDivElement>(null);
  const shown = useRef(first);
  // The same function in every round: React calls a new one again, and would open a dialog that is just closing.
  const open = useCallback((element: HTMLDialogElement | null) => {
    if (!element && dialog.current) {
      dialogClosed(dialog.current);
      dialog.current.close();
    }
    dialog.current = element;
    if (!element || element.open) return;
    element.showModal();
    dialogOpened(element);
    element.focus();
  }, []);
  const show = (place: number) => {
    const next = Math.min(photos.length - 1, Math.max(0, place));
    if (next === at) return;
    shown.current = next;
    setAt(next);
    gestures.reset();
  };
  const gestures = usePhotoGestures((swipe: Swipe) => {
    if (swipe === 'close') dialog.current?.close();
    else show(swipe === 'next' ? at + 1 : at - 1);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [step, factor] = [steps[event.key], factors[event.key]];
    if (step === undefined && factor === undefined) return;
    event.preventDefault();
    if (step !== undefined) show(at + step);
    if (factor !== undefined) gestures.zoom(factor, stage.current);
  };
  const photo = photos[at];
  if (!photo) return null;
  return (
    <dialog
      ref={open}
      className="viewer"
      tabIndex={-1}
      aria-label={`Photos of ${title}`}
      onKeyDown={onKeyDown}
      onClose={() => {
        if (dialog.current) dialogClosed(dialog.current);
        onClose(shown.current);
      }}
    >
      <div className="viewer__top">
        <button
          className="btn btn--icon btn--quiet"
          type="button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="x" className="icon--lg" />
        </button>
        <p aria-live="polite">{`${at + 1} of ${photos.length}`}</p>
        {photo.work && (
          <OwnPhoto
            work={photo.work}
            onRemove={onRemove}
            onDescribe={onDescribe}
            onDone={() => dialog.current?.close()}
          />
        )}
        <a className="btn btn--icon btn--quiet" href={photo.url} download aria-label="Save to phone">
          <Icon name="download" className="icon--lg" />
        </a>
      </div>
      <div className="viewer__stage">
        <div className="viewer__touch" ref={stage} {...gestures.handlers}>
          <Picture photo={photo} {...rest} {...gestures} />
        </div>
        {hasHint && photos.length > 1 && (
          <span className="viewer__hint">
            <Icon name="maximize-2" />
            <span>Pinch to zoom, swipe for the next</span>
          </span>
        )}
        {at > 0 && (
          <button
            className="viewer__nav viewer__nav--prev"
            type="button"
            aria-label="Previous photo"
            onClick={() => show(at - 1)}
          >
            <Icon name="chevron-left" className="icon--lg" />
          </button>
        )}
        {at < photos.length - 1 && (
          <button
            className="viewer__nav viewer__nav--next"
            type="button"
            aria-label="Next photo"
            onClick={() => show(at + 1)}
          >
            <Icon name="chevron-right" className="icon--lg" />
          </button>
        )}
      </div>
      <Foot photos={photos} at={at} thumbs={rest.thumbs} timeZone={rest.timeZone} onShow={show} />
    </dialog>
  );
}

type OwnPhotoProps = Pick<Props, 'onRemove' | 'onDescribe'> & {
  work: NonNullable<Photo['work']>;
  onDone(): void;
};

function OwnPhoto({ work, onRemove, onDescribe, onDone }: OwnPhotoProps) {
  const then = (change: (work: OwnPhotoProps['work']) => void) => () => {
    onDone();
    change(work);
  };
  return (
    <>
      <button
        className="btn btn--icon btn--quiet"
        type="button"
        aria-label="Say what this photo shows"
        onClick={then(onDescribe)}
      >
        <Icon name="pencil" className="icon--lg" />
      </button>
      <button
        className="btn btn--icon btn--quiet"
        type="button"
        aria-label="Remove this photo"
        onClick={then(onRemove)}
      >
        <Icon name="trash-2" className="icon--lg" />
      </button>
    </>
  );
}

type PictureProps = Pick<Props, 'links' | 'onRetry' | 'onFail'> &
  Pick<ReturnType<typeof usePhotoGestures>, 'view' | 'drag'> & { photo: Photo };

function Picture({ photo, links, onRetry, onFail, view, drag }: PictureProps) {
  const link = links[photo.key];
  if (!link) {
    return (
      <div className="viewer__failed" role="status">
        <p>This photo could not be loaded</p>
        <button className="btn btn--secondary" type="button" onClick={onRetry}>
          <Icon name="refresh-cw" />
          <span>Try again</span>
        </button>
      </div>
    );
  }
  const { x, y } = drag ? { x: drag.x, y: Math.max(0, drag.y) } : view;
  return (
    <img
      key={photo.key}
      className={drag ? 'is-dragged' : ''}
      src={link}
      alt={photo.label}
      draggable={false}
      style={{ transform: `translate(${x}px, ${y}px) scale(${view.scale})` }}
      onError={() => onFail(link)}
    />
  );
}

type FootProps = Pick<Props, 'photos' | 'thumbs' | 'timeZone'> & { at: number; onShow(at: number): void };

/** Who and when, and all of them in small. */
function Foot({ photos, thumbs, timeZone, at, onShow }: FootProps) {
  const row = useRef<HTMLUListElement>(null);
  useEffect(() => {
    row.current?.children[at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [at]);
  const photo = photos[at];
  return (
    <div className="viewer__foot">
      {photo && (
        <p className="viewer__cap">
          {photo.work?.caption && <b>{photo.work.caption}</b>}
          <span>
            {`${photo.work ? `${photo.from}. ` : ''}${photo.by}, ${formatMoment(photo.at, timeZone, new Date())}`}
          </span>
        </p>
      )}
      {photos.length > 1 && (
        <ul className="thumbs" aria-label="All photos" ref={row}>
          {photos.map(({ key, label }, place) => (
            <li key={key}>
              <button
                className="thumb2"
                type="button"
                aria-label={label}
                aria-current={place === at ? 'true' : undefined}
                onClick={() => onShow(place)}
              >
                {thumbs[key] ? (
                  <img src={thumbs[key]} alt="" width="96" height="96" />
                ) : (
                  <Icon name="image" />
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const hintKey = 'ute.photo-hint';

/** Whether the ways to move are still to be shown: with the first two openings on this device. Counts this one. */
function isHintDue(): boolean {
  const seen = Number(browserValues.getItem(hintKey) ?? 0);
  // Where it cannot be counted it would show each time.
  return seen < 2 && browserValues.setItem(hintKey, String(seen + 1));
}
