import { useEffect } from 'react';
import { useMap } from 'react-leaflet';
import { BaseLayer } from './base-layer.ts';
import type { MapBase } from './map-base.ts';

/** The product's own map under a Leaflet map; drawn again when the page changes between light and dark. */
export function OwnBase({ base }: Readonly<{ base: MapBase }>) {
  const map = useMap();
  // An effect, because the layer belongs to Leaflet's map.
  useEffect(() => {
    const layer = new BaseLayer(base).addTo(map);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => layer.redraw();
    dark.addEventListener('change', redraw);
    // Names are measured in the page's own type, which may come later than the map.
    void document.fonts.ready.then(redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      layer.remove();
    };
  }, [map, base]);
  return null;
}
