import '#site/ui/map/leaflet.css';
import type { Map as LeafletMap } from 'leaflet';
import { useRef } from 'react';
import { Circle, MapContainer, Marker, TileLayer } from 'react-leaflet';
import type { Region } from '#core/values/region.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { nearestTown } from '#site/ui/map/nearest-town.ts';
import { OwnBase } from '#site/ui/map/OwnBase.tsx';
import { pinIcon } from '#site/ui/map/pin-icon.ts';
import type { Coverage } from '../registration.ts';
import { CoverageControls } from './CoverageControls.tsx';
import { countryEdges, isChosen, onMap, wholeCountry } from './coverage.ts';
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
      </a>{' '}
      (CC BY 4.0),{' '}
      <a href="https://www.naturalearthdata.com" target="_blank" rel="noopener noreferrer">
        Natural Earth
      </a>
    </p>
  );
}
