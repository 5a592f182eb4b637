export type MapColours = Readonly<{ land: string; water: string; coast: string; ink: string; font: string }>;

/** The page's own colours and type, as they are just now. */
export function mapColours(): MapColours {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    land: of('--map-land'),
    water: of('--map-water'),
    coast: of('--map-coast'),
    ink: of('--ink-2'),
    font: of('--font-text') || 'sans-serif',
  };
}
