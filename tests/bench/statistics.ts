/** The value that a share of all (0 to 1) does not exceed; NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [below, above] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return below === undefined || above === undefined ? Number.NaN : (below + above) / 2;
}

/** The median of the ratios of pairs, and how far they spread. */
export type Ratio = Readonly<{ median: number; least: number; most: number; pairs: number }>;

/** Of measurements that were taken side by side: each is compared with its own neighbour alone. */
export function ratioOf(pairs: readonly (readonly [subject: number, control: number])[]): Ratio {
  const ratios = pairs.map(([subject, control]) => subject / control);
  return {
    median: median(ratios),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
    pairs: ratios.length,
  };
}
