import { type LatLng, type Map as LeafletMap, latLng } from 'leaflet';
import { useEffect, useRef } from 'react';
import { useMap, useMapEvents } from 'react-leaflet';
import { defaultLocation } from '#core/values/registration-steps.ts';
import type { Coverage } from '../registration.ts';
import { isChosen, offMap, onMap, roundedDegrees } from './coverage.ts';

/** Pixels of air between the circle and the edge of the map. */
const air = 12;
/** The least part of the map's shorter side that a circle fills well. */
const least = 0.2;
/** As near as a radius of nought is shown. */
const nearest = 13;

/** Whether a circle of so many metres can be seen whole, and is not lost on the map. */
function fitsWell(map: LeafletMap, centre: LatLng, radius: number): boolean {
  const bounds = centre.toBounds(radius * 2);
  const [one, other] = [map.project(bounds.getNorthWest()), map.project(bounds.getSouthEast())];
  const size = map.getSize();
  const isSeen = map.getBounds().contains(bounds);
  const isLost = other.x - one.x < Math.min(size.x, size.y) * least && map.getZoom() < nearest;
  return isSeen && !isLost;
}

/** Moves the map so that the circle fills it. */
function showCircle(map: LeafletMap, centre: LatLng, radius: number): void {
  const bounds = centre.toBounds(Math.max(radius, 1) * 2);
  map.fitBounds(bounds, { padding: [air, air], maxZoom: nearest });
}

type Props = Readonly<{
  location: Coverage;
  /** The place that the area is around; null where it is not known. */
  near: string | null;
  onChange(part: Partial<Coverage>): void;
}>;

/** Leaflet's own note of a zoom that is under way, which its types leave out. */
type ZoomingMap = LeafletMap & { _animatingZoom?: boolean };

/** What the map answers to, and how it follows an area that was changed beside it. */
export function CoverageControls({ location, near, onChange }: Props) {
  const map = useMap();
  const { lat, lng, radius } = location;
  const chosen = isChosen(location);
  const isOwnMove = useRef(false);
  const isMoving = useRef(false);

  function moveTo(point: Readonly<{ lat: number; lng: number }>): void {
    isOwnMove.current = true;
    const zoom = chosen ? map.getZoom() : defaultLocation.zoom;
    onChange({ lat: roundedDegrees(point.lat), lng: offMap(point.lng), zoom });
  }

  useMapEvents({
    click: ({ latlng }) => moveTo(latlng),
    movestart: () => {
      isMoving.current = true;
    },
    moveend: () => {
      isMoving.current = false;
    },
    zoomend: () => {
      if (chosen) onChange({ zoom: map.getZoom() });
    },
  });

  // Leaflet ends a zoom by a timer of 250 ms, which fails where the map was taken from the page meanwhile.
  useEffect(
    () => () => {
      (map as ZoomingMap)._animatingZoom = false;
    },
    [map],
  );

  // Effects, because the map has a view of its own: it moves when the area leaves it.
  useEffect(() => {
    const wasOwn = isOwnMove.current;
    isOwnMove.current = false;
    if (!chosen) return;
    const centre = latLng(lat, onMap(lng));
    if (!fitsWell(map, centre, radius)) showCircle(map, centre, radius);
    else if (!wasOwn) map.panTo(centre);
  }, [map, lat, lng, radius, chosen]);

  useEffect(() => {
    const box = map.getContainer();
    const about = near === null ? '' : ` Its centre is near ${near}.`;
    const help = 'Arrow keys move the map, plus and minus zoom, Enter puts the centre in the middle.';
    box.setAttribute('role', 'application');
    box.setAttribute('aria-label', `Map of the area you cover: ${radius / 1_000} km.${about} ${help}`);
  }, [map, near, radius]);

  useEffect(() => {
    const box = map.getContainer();
    const choose = (event: KeyboardEvent) => {
      if (event.target !== box || (event.key !== 'Enter' && event.key !== ' ')) return;
      event.preventDefault();
      // A map that still slides is taken where it comes to rest.
      if (isMoving.current) map.once('moveend', () => moveTo(map.getCenter()));
      else moveTo(map.getCenter());
    };
    box.addEventListener('keydown', choose);
    return () => box.removeEventListener('keydown', choose);
  });

  return null;
}
