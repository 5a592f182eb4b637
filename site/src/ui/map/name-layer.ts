import { CanvasLayer, type TileBox } from './canvas-layer.ts';
import { type Label, placeLabels } from './label-placement.ts';
import type { MapBase } from './map-base.ts';
import { mapColours } from './map-colours.ts';

/** Above whatever lies on the map, below its pins: a name is read through no area. */
export const namePane = 'names';

const fontOf = (isCity: boolean, family: string) => `${isCity ? 720 : 600} ${isCity ? 15 : 13}px ${family}`;

/** The names of places, each with its dot. */
export class NameLayer extends CanvasLayer {
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
