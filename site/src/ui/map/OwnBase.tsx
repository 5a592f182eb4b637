import { GridLayer, type GridLayerOptions } from 'leaflet';
import { useEffect } from 'react';
import { useMap } from 'react-leaflet';
import { type Label, placeLabels } from './label-placement.ts';
import { type MapBase, type Ring, ringsOf } from './map-base.ts';

/** The part of the world that a tile shows, in pixels of the whole world at its zoom. */
type TileBox = Readonly<{ left: number; top: number; right: number; bottom: number }>;

/** A layer of tiles that are drawn in the browser. */
abstract class CanvasLayer extends GridLayer {
  constructor(options: GridLayerOptions = {}) {
    super({ noWrap: true, keepBuffer: 1, updateWhenIdle: false, ...options });
  }

  protected override createTile({ x, y, z }: { x: number; y: number; z: number }): HTMLElement {
    const size = this.getTileSize().x;
    const canvas = document.createElement('canvas');
    const density = Math.min(devicePixelRatio, 2);
    canvas.width = size * density;
    canvas.height = size * density;
    const pen = canvas.getContext('2d');
    if (!pen) return canvas;
    pen.scale(density, density);
    pen.translate(-x * size, -y * size);
    this.draw(
      pen,
      { left: x * size, top: y * size, right: (x + 1) * size, bottom: (y + 1) * size },
      { zoom: z, scale: size * 2 ** z },
    );
    return canvas;
  }

  /** Draws what lies in the box; `scale` is the width of the whole world in pixels. */
  protected abstract draw(
    pen: CanvasRenderingContext2D,
    box: TileBox,
    at: Readonly<{ zoom: number; scale: number }>,
  ): void;
}

type MapColours = Readonly<{ land: string; water: string; coast: string; ink: string; font: string }>;

/** The page's own colours and type, as they are just now: a canvas does not know `light-dark()`, so an element works them out. */
function mapColours(): MapColours {
  const probe = document.createElement('span');
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const of = (name: string) => {
    probe.style.color = `var(${name})`;
    return style.color;
  };
  const colours = {
    land: of('--map-land'),
    water: of('--map-water'),
    coast: of('--map-coast'),
    ink: of('--ink-2'),
    font: style.getPropertyValue('--font-text').trim() || 'sans-serif',
  };
  probe.remove();
  return colours;
}

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

/** Above whatever lies on the map, below its pins: a name is read through no area. */
const namePane = 'names';

const fontOf = (isCity: boolean, family: string) => `${isCity ? 720 : 600} ${isCity ? 15 : 13}px ${family}`;

/** The names of places, each with its dot. */
class NameLayer extends CanvasLayer {
  readonly #base: MapBase;
  readonly #labels = new Map<number, readonly Label[]>();

  constructor(base: MapBase) {
    super({ pane: namePane });
    this.#base = base;
  }

  /** Measures and places the names anew: in another type they are of another width. */
  override redraw(): this {
    this.#labels.clear();
    return super.redraw();
  }

  protected override draw(
    pen: CanvasRenderingContext2D,
    box: TileBox,
    { zoom }: Readonly<{ zoom: number }>,
  ): void {
    const { ink, land, font } = mapColours();
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    pen.lineJoin = 'round';
    pen.lineWidth = 4;
    pen.strokeStyle = land;
    pen.fillStyle = ink;
    for (const { text, x, y, isCity, ...edges } of this.#labelsAt(zoom, pen, font)) {
      if (isOutside(edges, box)) continue;
      pen.beginPath();
      pen.arc(x, y, isCity ? 3.5 : 2.5, 0, 2 * Math.PI);
      pen.fill();
      pen.font = fontOf(isCity, font);
      pen.strokeText(text, x, y + 6);
      pen.fillText(text, x, y + 6);
    }
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

function isOutside(edges: TileBox, box: TileBox): boolean {
  return edges.right < box.left || edges.left > box.right || edges.bottom < box.top || edges.top > box.bottom;
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
