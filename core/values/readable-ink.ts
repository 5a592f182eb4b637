/** The darker ink that stands on light colours, and the light one that stands on dark ones. */
const INKS = ['#1b1a14', '#ffffff'] as const;

/** The ink that reads best on a colour, such as `#C21313`: at least 4.5 to 1 on every colour, as WCAG asks of text. */
export function inkOn(colour: string): (typeof INKS)[number] {
  return contrast(colour, INKS[0]) >= contrast(colour, INKS[1]) ? INKS[0] : INKS[1];
}

/** How far two colours (`#rrggbb`) stand apart, as WCAG 2 counts it: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
