import { GridLayer, type GridLayerOptions } from 'leaflet';

/** The part of the world that a tile shows, in pixels of the whole world at its zoom. */
export type TileBox = Readonly<{ left: number; top: number; right: number; bottom: number }>;

/** A layer of tiles that are drawn in the browser. */
export abstract class CanvasLayer extends GridLayer {
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
