import { useEffect } from 'react';
import { useMap } from 'react-leaflet';
import { CanvasLayer, type TileBox } from './canvas-layer.ts';
import type { MapBase } from './map-base.ts';
import { mapColours } from './map-colours.ts';
import { NameLayer, namePane } from './name-layer.ts';
import { type Ring, ringsOf } from './projection.ts';

/** Land, sea and the line between them. */
class LandLayer extends CanvasLayer {
  readonly #rings: readonly Ring[];

  constructor(rings: readonly Ring[]) {
    super();
    this.#rings = rings;
  }

  protected override draw(
    pen: CanvasRenderingContext2D,
    box: TileBox,
    { scale }: Readonly<{ scale: number }>,
  ): void {
    const { land, water, coast } = mapColours();
    pen.fillStyle = water;
    pen.fillRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
    pen.beginPath();
    for (const ring of this.#rings) if (reaches(ring, box, scale)) trace(pen, ring.points, scale);
    pen.fillStyle = land;
    pen.fill('evenodd');
    pen.strokeStyle = coast;
    pen.lineWidth = 1.5;
    pen.stroke();
  }
}

function reaches({ west, east, north, south }: Ring, box: TileBox, scale: number): boolean {
  return (
    east * scale >= box.left &&
    west * scale <= box.right &&
    south * scale >= box.top &&
    north * scale <= box.bottom
  );
}

function trace(pen: CanvasRenderingContext2D, points: Float64Array, scale: number): void {
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [(points[at] ?? 0) * scale, (points[at + 1] ?? 0) * scale];
    if (at === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  }
  pen.closePath();
}

/** Between Leaflet's areas and its pins. */
const namesAbove = 450;

/** The product's own map under a Leaflet map; drawn again when the page changes between light and dark. */
export function OwnBase({ base }: Readonly<{ base: MapBase }>) {
  const map = useMap();
  // An effect, because the layers belong to Leaflet's map.
  useEffect(() => {
    const pane = map.getPane(namePane) ?? map.createPane(namePane);
    pane.style.zIndex = String(namesAbove);
    pane.style.pointerEvents = 'none';
    const land = new LandLayer(ringsOf(base)).addTo(map);
    const names = new NameLayer(base).addTo(map);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => {
      land.redraw();
      names.redraw();
    };
    dark.addEventListener('change', redraw);
    // Names are measured in the page's own type, which may come later than the map.
    if (document.fonts.status === 'loading') void document.fonts.ready.then(() => names.redraw());
    return () => {
      dark.removeEventListener('change', redraw);
      land.remove();
      names.remove();
    };
  }, [map, base]);
  return null;
}
