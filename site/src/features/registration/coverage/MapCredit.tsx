import type { MapSource } from './map-source.ts';

/** Whose map it is, on the map. */
export function MapCredit({ source }: Readonly<{ source: MapSource }>) {
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
