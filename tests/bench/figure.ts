import type { Ratio } from './statistics.ts';

/** One line of the report. `value` is as people read it; `ratio` compares with the control of the same run. */
export type Figure = Readonly<{
  what: string;
  value: string;
  budget: string;
  /** Null where there is no budget: a figure for information. */
  met: boolean | null;
  ratio?: Ratio;
  control?: string;
  note?: string;
}>;

/** Something that can be measured by itself. `about` is one line for the list of items. */
export type Item = Readonly<{ name: string; about: string; measure(log: Log): Promise<Figure[]> }>;

/** Prints what is going on. */
export type Log = (text: string) => void;

export const milliseconds = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
export const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
