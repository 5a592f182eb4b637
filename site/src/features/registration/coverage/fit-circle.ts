import type { LatLng, Map as LeafletMap } from 'leaflet';

/** Pixels of air between the circle and the edge of the map. */
const air = 12;
/** The least part of the map's shorter side that a circle fills well. */
const least = 0.2;
/** As near as a radius of nought is shown. */
const nearest = 13;

/** Whether a circle of so many metres can be seen whole, and is not lost on the map. */
export function fitsWell(map: LeafletMap, centre: LatLng, radius: number): boolean {
  const bounds = centre.toBounds(radius * 2);
  const [one, other] = [map.project(bounds.getNorthWest()), map.project(bounds.getSouthEast())];
  const size = map.getSize();
  const isSeen = map.getBounds().contains(bounds);
  const isLost = other.x - one.x < Math.min(size.x, size.y) * least && map.getZoom() < nearest;
  return isSeen && !isLost;
}

/** Moves the map so that the circle fills it. */
export function showCircle(map: LeafletMap, centre: LatLng, radius: number): void {
  const bounds = centre.toBounds(Math.max(radius, 1) * 2);
  map.fitBounds(bounds, { padding: [air, air], maxZoom: nearest });
}
