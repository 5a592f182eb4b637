import { divIcon } from 'leaflet';

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
export const pinIcon = divIcon({
  html: drawn() as unknown as HTMLElement,
  className: 'map__pin',
  iconSize: [30, 39],
  iconAnchor: [15, 37],
});
