export type MapColours = Readonly<{ land: string; water: string; coast: string; ink: string; font: string }>;

/** The page's own colours and type, as they are just now: a canvas does not know `light-dark()`, so an element works them out. */
export function mapColours(): MapColours {
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
