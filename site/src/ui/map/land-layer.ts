import { CanvasLayer, type TileBox } from './canvas-layer.ts';
import { mapColours } from './map-colours.ts';
import type { Ring } from './projection.ts';

/** Land, sea and the line between them. */
export class LandLayer extends CanvasLayer {
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
