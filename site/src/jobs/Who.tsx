import './who.css';
import { useStore } from '@nanostores/react';
import type { JobCardView } from '#core/job/view.ts';
import { distanceWords, suburbIn } from '#core/values/place.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { Icon } from '#site/ui/Icon.tsx';

type Props = Readonly<{ job: Pick<JobCardView, 'name' | 'location'>; withDistance?: boolean }>;

type PlaceProps = Readonly<{ location: JobCardView['location']; withStreet?: boolean | undefined }>;

/** Where a job is and how far: the suburb or, where none is known or `withStreet`, the whole address. Parts of a line. */
export function PlaceParts({ location, withStreet = false }: PlaceProps) {
  const base = useStore($session, { ssr: () => null })?.user?.base ?? null;
  const distance = distanceWords(base, location);
  return (
    <>
      <span>{(!withStreet && suburbIn(location.address)) || location.address}</span>
      {distance && <span className="num">{distance}</span>}
    </>
  );
}

/** How many pictures there are to look at; nothing where there is none. A part of a line. */
export function PictureCount({ pictures }: Pick<JobCardView, 'pictures'>) {
  if (!pictures) return null;
  return (
    <span className="pics num">
      <Icon name="camera" />
      {pictures}
      <span className="sr"> {pictures === 1 ? 'photo' : 'photos'}</span>
    </span>
  );
}

/** Whose job it is, in which suburb, and how far from the tradie's base: what is unknown is left out. */
export function Who({ job: { name, location }, withDistance = true }: Props) {
  const base = useStore($session, { ssr: () => null })?.user?.base ?? null;
  const suburb = suburbIn(location.address);
  const distance = withDistance ? distanceWords(base, location) : null;
  return (
    <p className="who">
      <strong>{name}</strong>
      {suburb && <span>{suburb}</span>}
      {distance && <span className="num">{distance}</span>}
    </p>
  );
}
