import { useEffect } from 'react';
import { useMap } from 'react-leaflet';
import { LandLayer } from './land-layer.ts';
import type { MapBase } from './map-base.ts';
import { NameLayer, namePane } from './name-layer.ts';
import { ringsOf } from './projection.ts';

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
