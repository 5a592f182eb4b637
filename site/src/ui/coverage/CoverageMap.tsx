import '#site/ui/map/leaflet.css';
import { divIcon, type LatLng, type Map as LeafletMap, latLng } from 'leaflet';
import { useEffect, useRef } from 'react';
import { Circle, MapContainer, Marker, TileLayer, useMap, useMapEvents } from 'react-leaflet';
import type { Region } from '#core/values/region.ts';
import { defaultLocation } from '#core/values/registration-steps.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { nearestTown } from '#site/ui/map/map-base.ts';
import { OwnBase } from '#site/ui/map/OwnBase.tsx';
import {
  type Coverage,
  countryEdges,
  isChosen,
  offMap,
  onMap,
  roundedDegrees,
  wholeCountry,
} from './coverage.ts';
import type { MapSource } from './map-source.ts';

type Props = Readonly<{
  region: Region;
  location: Coverage;
  source: MapSource;
  onChange(part: Partial<Coverage>): void;
}>;

/** The area on a map: a tap or Enter moves its centre, and its circle follows. */
export function CoverageMap({ region, location, source, onChange }: Props) {
  const map = useRef<LeafletMap>(null);
  const chosen = isChosen(location);
  const view = chosen ? location : wholeCountry[region];
  const centre = { lat: location.lat, lng: onMap(location.lng) };
  return (
    <div className="map cover__map">
      <MapContainer
        ref={map}
        className="map__canvas"
        center={[view.lat, onMap(view.lng)]}
        zoom={view.zoom + (chosen ? 0 : nearer())}
        minZoom={3}
        maxZoom={15}
        maxBounds={countryEdges[region]}
        zoomControl={false}
        attributionControl={false}
        {...stillness()}
      >
        {'base' in source ? (
          <OwnBase base={source.base} />
        ) : (
          <TileLayer url={source.tiles.url} maxZoom={19} />
        )}
        {chosen && (
          <>
            <Circle className="m-radius" center={centre} radius={location.radius} interactive={false} />
            <Marker icon={pinIcon} position={centre} interactive={false} keyboard={false} />
          </>
        )}
        <CoverageControls
          location={location}
          near={'base' in source && chosen ? nearestTown(source.base, centre) : null}
          onChange={onChange}
        />
      </MapContainer>
      <span className="map__target" aria-hidden="true" />
      <div className="map__zoom">
        <button type="button" aria-label="Zoom in" onClick={() => map.current?.zoomIn()}>
          <Icon name="plus" />
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => map.current?.zoomOut()}>
          <Icon name="minus" />
        </button>
      </div>
      <MapCredit source={source} />
    </div>
  );
}

/** A laptop's map has room for the country one zoom nearer. */
function nearer(): number {
  return matchMedia('(min-width: 60rem)').matches ? 1 : 0;
}

/** Where the visitor prefers less motion the map jumps instead of sliding. */
function stillness() {
  const isWanted = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return { zoomAnimation: !isWanted, fadeAnimation: !isWanted, inertia: !isWanted };
}

/** Whose map it is, on the map. */
function MapCredit({ source }: Readonly<{ source: MapSource }>) {
  if ('tiles' in source) return <p className="map__credit">{source.tiles.attribution}</p>;
  return (
    <p className="map__credit">
      <span className="only-md">A simple map without streets: </span>
      <a href="https://www.geonames.org" target="_blank" rel="noopener noreferrer">
        GeoNames
      </a>
      <span>{' (CC BY 4.0), '}</span>
      <a href="https://www.naturalearthdata.com" target="_blank" rel="noopener noreferrer">
        Natural Earth
      </a>
    </p>
  );
}

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

type CoverageControlsProps = Readonly<{
  location: Coverage;
  /** The place that the area is around; null where it is not known. */
  near: string | null;
  onChange(part: Partial<Coverage>): void;
}>;

/** Leaflet's own note of a zoom that is under way, which its types leave out. */
type ZoomingMap = LeafletMap & { _animatingZoom?: boolean };

/** What the map answers to, and how it follows an area that was changed beside it. */
function CoverageControls({ location, near, onChange }: CoverageControlsProps) {
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
    const follow = () => {
      if (!fitsWell(map, centre, radius)) showCircle(map, centre, radius);
      else if (!wasOwn) map.panTo(centre);
    };
    if (!(map as ZoomingMap)._animatingZoom) return follow();
    // Leaflet drops a move that begins while it zooms.
    map.once('moveend', follow);
    return () => {
      map.off('moveend', follow);
    };
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

const namespace = 'http://www.w3.org/2000/svg';

function drawn(): SVGElement {
  const pin = document.createElementNS(namespace, 'svg');
  pin.setAttribute('viewBox', '-18 -41 36 47');
  const drop = document.createElementNS(namespace, 'path');
  drop.setAttribute('class', 'm-pin');
  drop.setAttribute('d', 'M0 4c-9-11-16-18-16-27a16 16 0 0 1 32 0C16-14 9-7 0 4Z');
  const dot = document.createElementNS(namespace, 'circle');
  dot.setAttribute('class', 'm-pin-dot');
  dot.setAttribute('cy', '-23');
  dot.setAttribute('r', '6');
  pin.append(drop, dot);
  return pin;
}

/** The pin of a map, its tip at the place. */
const pinIcon = divIcon({
  html: drawn() as unknown as HTMLElement,
  className: 'map__pin',
  iconSize: [30, 39],
  iconAnchor: [15, 37],
});
