import { GridLayer } from 'leaflet';
import { type Label, placeLabels } from './label-placement.ts';
import type { MapBase } from './map-base.ts';
import { type Ring, ringsOf } from './projection.ts';

const fontOf = (isCity: boolean, family: string) => `${isCity ? 720 : 600} ${isCity ? 15 : 13}px ${family}`;

/** The product's own map: coastlines and the names of places, drawn in the browser in the colours of the page. */
export class BaseLayer extends GridLayer {
  readonly #base: MapBase;
  readonly #rings: readonly Ring[];
  readonly #labels = new Map<number, readonly Label[]>();

  constructor(base: MapBase) {
    super({ noWrap: true, keepBuffer: 1, updateWhenIdle: false });
    this.#base = base;
    this.#rings = ringsOf(base);
  }

  protected override createTile({ x, y, z }: { x: number; y: number; z: number }): HTMLElement {
    const size = this.getTileSize().x;
    const canvas = document.createElement('canvas');
    const density = Math.min(devicePixelRatio, 2);
    canvas.width = canvas.height = size * density;
    const pen = canvas.getContext('2d');
    if (!pen) return canvas;
    const colours = coloursOf(document.documentElement);
    pen.scale(density, density);
    pen.translate(-x * size, -y * size);
    const box = { left: x * size, top: y * size, right: (x + 1) * size, bottom: (y + 1) * size };
    pen.fillStyle = colours.water;
    pen.fillRect(box.left, box.top, size, size);
    drawLand(pen, this.#rings, size * 2 ** z, box, colours);
    drawLabels(pen, this.#labelsAt(z, pen, colours.font), box, colours);
    return canvas;
  }

  #labelsAt(zoom: number, pen: CanvasRenderingContext2D, family: string): readonly Label[] {
    const known = this.#labels.get(zoom);
    if (known) return known;
    const labels = placeLabels(this.#base, zoom, (text, isCity) => {
      pen.font = fontOf(isCity, family);
      return pen.measureText(text).width;
    });
    this.#labels.set(zoom, labels);
    return labels;
  }
}

type Box = Readonly<{ left: number; top: number; right: number; bottom: number }>;
type Colours = ReturnType<typeof coloursOf>;

function coloursOf(root: Element) {
  const style = getComputedStyle(root);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    land: of('--map-land'),
    water: of('--map-water'),
    coast: of('--map-coast'),
    ink: of('--ink-2'),
    font: of('--font-text') || 'sans-serif',
  };
}

function drawLand(
  pen: CanvasRenderingContext2D,
  rings: readonly Ring[],
  scale: number,
  box: Box,
  { land, coast }: Colours,
): void {
  pen.beginPath();
  for (const { points, west, east, north, south } of rings) {
    const isAway =
      east * scale < box.left ||
      west * scale > box.right ||
      south * scale < box.top ||
      north * scale > box.bottom;
    if (isAway) continue;
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = [(points[at] ?? 0) * scale, (points[at + 1] ?? 0) * scale];
      if (at === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    }
    pen.closePath();
  }
  pen.fillStyle = land;
  pen.fill('evenodd');
  pen.strokeStyle = coast;
  pen.lineWidth = 1.5;
  pen.stroke();
}

function drawLabels(
  pen: CanvasRenderingContext2D,
  labels: readonly Label[],
  box: Box,
  { ink, land, font }: Colours,
): void {
  pen.textAlign = 'center';
  pen.textBaseline = 'top';
  pen.lineJoin = 'round';
  pen.lineWidth = 4;
  pen.strokeStyle = land;
  pen.fillStyle = ink;
  for (const { text, x, y, left, right, top, bottom, isCity } of labels) {
    if (right < box.left || left > box.right || bottom < box.top || top > box.bottom) continue;
    pen.beginPath();
    pen.arc(x, y, isCity ? 3.5 : 2.5, 0, 2 * Math.PI);
    pen.fill();
    pen.font = fontOf(isCity, font);
    pen.strokeText(text, x, y + 6);
    pen.fillText(text, x, y + 6);
  }
}
